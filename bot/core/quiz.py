"""Quizzes, questions and versions as immutable values, and what can be said of them without SQL, files or Discord.

A version is what a round plays and a response refers to; it never changes. A text is a mapping from language
code to what the author wrote; languages are never mixed within one question.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

Text = Mapping[str, str]


class Kind(StrEnum):
    """How a question is answered."""

    SINGLE = "single"
    MULTIPLE = "multiple"
    TRUE_FALSE = "true_false"


TRUE, FALSE = 0, 1
"""Places of the two options of a true/false question, whose words come from the catalogue."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option; its id is its place in the version as written.

    `text` is empty in a true/false question, where the catalogue has the words.
    """

    text: Text
    feedback: Text
    pin: bool = False


@dataclass(frozen=True, slots=True)
class Version:
    """The immutable contents of a question at one time.

    `key` holds the places of the right options; None means that no right answer has been entered.
    `markdown` says that the author's text is drawn as Discord markdown instead of being escaped.
    """

    kind: Kind
    stem: Text
    options: tuple[Option, ...]
    key: frozenset[int] | None
    explanation: Text
    source: Text
    markdown: bool = False

    @property
    def takes_several(self) -> bool:
        """Tell whether a member marks a set of options instead of one."""
        return self.kind is Kind.MULTIPLE

    def texts(self) -> Iterator[Text]:
        """Yield every text the version has; those nobody wrote are left out."""
        yield self.stem
        for option in self.options:
            if self.kind is not Kind.TRUE_FALSE:
                yield option.text
            if option.feedback:
                yield option.feedback
        if self.explanation:
            yield self.explanation
        if self.source:
            yield self.source

    def languages(self) -> frozenset[str]:
        """Return the languages in which the question is complete: the only ones it is offered in."""
        stem, *others = self.texts()
        return frozenset(stem).intersection(*others)

    def language_for(self, *wanted: str) -> str:
        """Return the first wanted language in which the question is complete, else its own first one.

        Raises:
            ValueError: the question is complete in no language; reading a quiz refuses such a question.
        """
        complete = self.languages()
        for language in wanted:
            if language in complete:
                return language
        for language in self.stem:
            if language in complete:
                return language
        raise ValueError("complete in no language")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a quiz as its author names it, with its newest version."""

    ref: str
    version: Version


@dataclass(frozen=True, slots=True)
class Quiz:
    """A titled, ordered list of questions as read from a file or from the store."""

    ref: str
    title: Text
    description: Text
    language: str
    tags: tuple[str, ...]
    questions: tuple[Question, ...]

    def title_in(self, *wanted: str) -> str:
        """Return the title in the first of the wanted languages it has, else in the quiz's own."""
        return in_language(self.title, *wanted, self.language)


def in_language(text: Text, *wanted: str) -> str:
    """Return a text in the first of the wanted languages it has, else in its own first; "" where there is none."""
    for language in wanted:
        if language in text:
            return text[language]
    return next(iter(text.values()), "")


def normalise(text: str) -> str:
    """Return a text as people compare it: NFC, runs of white space as one space, trimmed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _as_compared(text: str) -> str:
    """Return a text as versions are compared: NFC, without white space at the ends of lines; code is indented."""
    lines = unicodedata.normalize("NFC", text).strip().splitlines()
    return "\n".join(line.rstrip() for line in lines)


def fingerprint(version: Version) -> str:
    """Return a digest that changes exactly when the version's texts, options, key or pins change."""

    def plain(text: Text) -> dict[str, str]:
        return {language: _as_compared(words) for language, words in sorted(text.items())}

    facts = [
        version.kind.value,
        plain(version.stem),
        [[plain(option.text), plain(option.feedback), option.pin] for option in version.options],
        None if version.key is None else sorted(version.key),
        plain(version.explanation),
        plain(version.source),
        version.markdown,
    ]
    written = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:32]
