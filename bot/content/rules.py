"""What a quiz must hold to beyond the kinds of its fields: the key, languages, limits, names.

The rules read the values as typed, whatever else is wrong with the file, so that all its faults are told in one go.
What has the wrong kind is passed over here: the models report that.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from bot.content import limits
from bot.content.faults import Path, Problem, quoted
from bot.content.models import LANGUAGE, ONE_STRING, kind_of
from bot.content.yamltext import Raw
from bot.core.quiz import normalise

Fields = dict[str, Raw]

# Control characters, halves of surrogate pairs, and line separators that only some programs take for one.
_INVISIBLE = {"Cc", "Cs", "Zl", "Zp"}


@dataclass(frozen=True, slots=True)
class _Written:
    """One text of a question that must exist in every language the question is offered in."""

    path: Path
    name: str
    limit: int
    raw: Raw


@dataclass(frozen=True, slots=True)
class _Manner:
    """What one-string texts of the quiz are written in, and how its texts are drawn."""

    language: str
    markdown: bool


def problems(quiz: Raw) -> Iterator[Problem]:
    """Yield everything in a quiz as typed that breaks a rule."""
    if not isinstance(quiz, dict):
        return
    language = quiz.get("language")
    manner = _Manner(language if isinstance(language, str) else ONE_STRING, quiz.get("markdown") == "true")
    for name, limit in (("title", limits.TITLE), ("description", limits.DESCRIPTION)):
        if name in quiz:
            yield from _text_problems(_Written((name,), name, limit, quiz[name]), manner)
    yield from _tag_problems(_items(quiz.get("tags")), manner)
    questions = _items(quiz.get("questions"))
    yield from _doubled_ids(questions)
    for place, question in enumerate(questions):
        if isinstance(question, dict):
            yield from _question_problems(("questions", place), question, manner)


def invisible(text: str) -> str:
    """Return the characters of a text that no message may hold; a line break and a tab are none of them."""
    return "".join(mark for mark in text if unicodedata.category(mark) in _INVISIBLE and mark not in "\n\t")


def _tag_problems(tags: list[Raw], manner: _Manner) -> Iterator[Problem]:
    seen: set[str] = set()
    for place, tag in enumerate(tags):
        if not isinstance(tag, str):
            continue
        yield from _text_problems(_Written(("tags", place), "tag", limits.TAG, tag), manner)
        if normalise(tag).casefold() in seen:
            facts = {"tag": quoted(tag)}
            yield Problem(("tags", place), "the tag `{tag}` stands twice", "keep one of them", facts)
        seen.add(normalise(tag).casefold())


def _doubled_ids(questions: list[Raw]) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for place, question in enumerate(questions):
        ref = question.get("id") if isinstance(question, dict) else None
        if not isinstance(ref, str):
            continue
        if ref in seen:
            facts = {"id": quoted(ref), "first": seen[ref] + 1}
            message = "question {first} has the id `{id}` already"
            yield Problem(("questions", place, "id"), message, "give each question an id of its own", facts)
        seen.setdefault(ref, place)


def _question_problems(path: Path, question: Fields, manner: _Manner) -> Iterator[Problem]:
    written = list(_texts_of(path, question))
    for text in written:
        yield from _text_problems(text, manner)
    source = question.get("source")
    if isinstance(source, str):
        yield from _text_problems(_Written((*path, "source"), "source", limits.SOURCE, source), manner)
    yield from _incomplete(path, written, manner)
    if kind_of(question) == "choice":
        yield from _choice_key_problems(path, question)
        yield from _equal_options(path, question, manner)
    else:
        yield from _answer_problems(path, question)
    yield from _too_long_together(path, question, manner)


def _texts_of(path: Path, question: Fields) -> Iterator[_Written]:
    """Yield the texts a question has, except a source that is one string: that holds in every language."""
    for name, limit in (
        ("stem", limits.STEM),
        ("explanation", limits.EXPLANATION),
        ("source", limits.SOURCE),
    ):
        raw = question.get(name)
        if raw is not None and not (name == "source" and isinstance(raw, str)):
            yield _Written((*path, name), name, limit, raw)
    for place, option in enumerate(_items(question.get("options"))):
        if isinstance(option, dict):
            inner = (*path, "options", place)
            for name, field, limit in (
                ("option", "text", limits.OPTION),
                ("feedback", "feedback", limits.FEEDBACK),
            ):
                if field in option:
                    yield _Written((*inner, field), name, limit, option[field])
    feedback = question.get("feedback")
    if isinstance(feedback, dict) and kind_of(question) == "true_false":
        for answer in ("true", "false"):
            if answer in feedback:
                yield _Written((*path, "feedback", answer), "feedback", limits.FEEDBACK, feedback[answer])


def _text_problems(text: _Written, manner: _Manner) -> Iterator[Problem]:
    if text.raw == {}:
        yield Problem(text.path, "the {name} is empty", "write it, or delete the line", {"name": text.name})
    if isinstance(text.raw, str):
        yield from _words_problems(text, text.path, text.raw, manner)
    if not isinstance(text.raw, dict):
        return
    for language, words in text.raw.items():
        inner = (*text.path, language)
        if not re.fullmatch(LANGUAGE, language):
            facts = {"language": quoted(language)}
            remedy = "write en, tr, pt-BR or the like"
            yield Problem(inner, "`{language}` is no language code", remedy, facts, at_name=True)
        if isinstance(words, str):
            yield from _words_problems(text, inner, words, manner)


def _words_problems(text: _Written, path: Path, words: str, manner: _Manner) -> Iterator[Problem]:
    words = words.strip()
    facts: dict[str, object] = {"name": text.name}
    if not words:
        yield Problem(path, "the {name} is empty", "write it, or delete the line", facts)
        return
    if bad := invisible(words):
        facts["character"] = f"U+{ord(bad[0]):04X}"
        yield Problem(path, "the {name} holds the invisible character {character}", "delete it", facts)
        return
    length = limits.rendered(words, markdown=manner.markdown)
    if length > text.limit:
        facts |= {"length": length, "limit": text.limit, "over": length - text.limit}
        message = "the {name} takes {length} characters as rendered, {over} more than the {limit} allowed"
        yield Problem(path, message, "shorten it", facts)


def _incomplete(path: Path, written: list[_Written], manner: _Manner) -> Iterator[Problem]:
    texts = [(text, _languages(text.raw, manner)) for text in written]
    offered = sorted({language for _, languages in texts for language in languages})
    lacking = [[text for text, has in texts if has and language not in has] for language in offered]
    if not all(lacking) or not offered:
        return
    # The language that lacks least is the one the author will want to complete.
    least, language = min(zip(lacking, offered, strict=True), key=lambda pair: len(pair[0]))
    facts = {"language": language, "name": least[0].name}
    message = "the question is complete in no language: this {name} is missing in {language}"
    yield Problem(least[0].path, message, "write every text of a question in one language", facts)


def _choice_key_problems(path: Path, question: Fields) -> Iterator[Problem]:
    options = [option if isinstance(option, dict) else {} for option in _items(question.get("options"))]
    marks = {place: option["correct"] for place, option in enumerate(options) if "correct" in option}
    right = [place for place, mark in marks.items() if mark == "true"]
    unclear = any(mark not in ("true", "false") for mark in marks.values())
    if "key" in question:
        if marks and question["key"] == "missing":
            inner = (*path, "options", min(marks), "correct")
            message = "`correct` stands here although the question says `key: missing`"
            yield Problem(inner, message, "keep one of the two", at_name=True)
    elif not right and options and not unclear:
        remedy = "write `correct: true` on the right one, or `key: missing` on the question"
        yield Problem(path, "no option is marked as right", remedy)
    elif len(right) > 1 and question.get("type") != "multiple":
        inner = (*path, "options", right[1], "correct")
        facts = {"count": len(right)}
        message = "{count} options of a `single` question are marked as right"
        yield Problem(inner, message, "keep one, or write `type: multiple`", facts, at_name=True)


def _answer_problems(path: Path, question: Fields) -> Iterator[Problem]:
    if question.get("key") == "missing" and "answer" in question:
        message = "`answer` stands here although the question says `key: missing`"
        yield Problem((*path, "answer"), message, "keep one of the two", at_name=True)
    if "key" not in question and "answer" not in question:
        message = "the right answer is not given"
        yield Problem(path, message, "write `answer: true` or `answer: false`, or `key: missing`")


def _equal_options(path: Path, question: Fields, manner: _Manner) -> Iterator[Problem]:
    seen: dict[tuple[str, str], int] = {}
    for place, option in enumerate(_items(question.get("options"))):
        if not isinstance(option, dict):
            continue
        for language, words in _by_language(option.get("text"), manner).items():
            first = seen.setdefault((language, normalise(words)), place)
            if first != place and words.strip():
                facts = {"first": first + 1, "language": language}
                message = "this option is equal to option {first} in {language}"
                yield Problem((*path, "options", place, "text"), message, "word it differently", facts)


def _too_long_together(path: Path, question: Fields, manner: _Manner) -> Iterator[Problem]:
    options = [option if isinstance(option, dict) else {} for option in _items(question.get("options"))]
    texts = [_by_language(raw, manner) for raw in (question.get("stem"), *(o.get("text") for o in options))]
    for language in texts[0]:
        if not all(language in text for text in texts):
            continue
        words = [text[language].strip() for text in texts]
        if max(map(len, words)) > limits.TOGETHER_BYTES:
            continue
        length, size = limits.together(words, markdown=manner.markdown)
        facts: dict[str, object] = {"language": language, "length": length, "size": size}
        if length > limits.TOGETHER:
            facts["limit"] = limits.TOGETHER
            message = "stem and options take {length} characters together in {language}, {limit} are allowed"
            yield Problem(path, message, "shorten the longest", facts)
        elif size > limits.TOGETHER_BYTES:
            facts["limit"] = limits.TOGETHER_BYTES
            message = "stem and options take {size} bytes together in {language}, {limit} are allowed"
            yield Problem(path, message, "shorten the longest", facts)


def _items(raw: Raw | None) -> list[Raw]:
    return raw if isinstance(raw, list) else []


def _by_language(raw: Raw | None, manner: _Manner) -> dict[str, str]:
    if isinstance(raw, str):
        return {manner.language: raw}
    if isinstance(raw, dict):
        return {language: words for language, words in raw.items() if isinstance(words, str)}
    return {}


def _languages(raw: Raw, manner: _Manner) -> frozenset[str]:
    """Return the languages a text has; a key that is no language code is reported as such, not here."""
    if isinstance(raw, str):
        return frozenset({manner.language})
    return frozenset(language for language in _by_language(raw, manner) if re.fullmatch(LANGUAGE, language))
