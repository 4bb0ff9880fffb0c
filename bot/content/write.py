"""Core quizzes → native YAML that reads well and comes back as the same quiz.

Texts stand as one string where the quiz's own language says enough, else under their languages.
"""

import re
from typing import TypeAlias

import yaml

from bot.core.quiz import FALSE, TRUE, Kind, Question, Quiz, Text

Node: TypeAlias = str | bool | int | list["Node"] | dict[str, "Node"] | dict[bool, "Node"]

_WIDTH = 100

# YAML 1.1 takes these for line breaks: only in double quotes do they come back as they were.
_ODD_BREAKS = re.compile("[\r\x85\u2028\u2029]")


class _Dumper(yaml.SafeDumper):
    """Indents the items of lists, and writes texts of several lines as they are."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # The reader takes every scalar as typed, but other programs make numbers of 07 and booleans of yes.
    style = "|" if "\n" in text else None
    if _ODD_BREAKS.search(text):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)  # pyright: ignore[reportUnknownMemberType]


_Dumper.add_representer(str, _represent_text)


def to_yaml(quiz: Quiz) -> str:
    """Return a quiz as a file in the native format."""
    language = quiz.language
    head: dict[str, Node] = {"format": 1, "id": quiz.ref, "title": _text(quiz.title, language)}
    if quiz.description:
        head["description"] = _text(quiz.description, language)
    head["language"] = language
    if quiz.tags:
        head["tags"] = list(quiz.tags)
    if any(question.version.markdown for question in quiz.questions):
        head["markdown"] = True
    questions = [write_fields({"questions": [_question(question, language)]}) for question in quiz.questions]
    bodies = [text.removeprefix("questions:\n") for text in questions]
    return write_fields(head) + "questions:\n" + "\n".join(bodies)


def write_fields(node: Node) -> str:
    """Return fields as YAML, from which every text comes back exactly."""
    return yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        node, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH
    )


def _text(text: Text, language: str) -> Node:
    return text[language] if set(text) == {language} else dict(text)


def _question(question: Question, language: str) -> Node:
    version = question.version
    node: dict[str, Node] = {"id": question.ref}
    if version.kind is not Kind.SINGLE:
        node["type"] = version.kind.value
    node["stem"] = _text(version.stem, language)
    if version.key is None:
        node["key"] = "missing"
    if version.kind is Kind.TRUE_FALSE:
        if version.key is not None:
            node["answer"] = TRUE in version.key
        feedback: dict[bool, Node] = {
            answer: _text(version.options[place].feedback, language)
            for answer, place in ((True, TRUE), (False, FALSE))
            if version.options[place].feedback
        }
        if feedback:
            node["feedback"] = feedback
    else:
        node["options"] = [_option(question, place, language) for place in range(len(version.options))]
    if version.explanation:
        node["explanation"] = _text(version.explanation, language)
    if version.source:
        node["source"] = _source(version.source, version.stem)
    return node


def _option(question: Question, place: int, language: str) -> Node:
    option = question.version.options[place]
    node: dict[str, Node] = {"text": _text(option.text, language)}
    if question.version.key is not None and place in question.version.key:
        node["correct"] = True
    if option.feedback:
        node["feedback"] = _text(option.feedback, language)
    if option.pin:
        node["pin"] = True
    return node


def _source(source: Text, stem: Text) -> Node:
    """Return a source as one string exactly where reading that string gives the same source again."""
    words = set(source.values())
    return words.pop() if len(words) == 1 and set(source) == set(stem) else dict(source)
