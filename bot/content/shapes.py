"""What the models find wrong with a quiz's fields, in words: missing, unknown or of the wrong kind.

pydantic says what is wrong in terms of types; an author needs to know which line to change, and to what.
"""

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ValidationError

from bot.content.faults import Path, Problem, quoted
from bot.content.models import (
    ChoiceShape,
    OptionShape,
    QuizShape,
    TrueFalseFeedbackShape,
    TrueFalseShape,
    kind_of,
)
from bot.content.yamltext import Raw

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_PLACES: tuple[tuple[type[BaseModel], str], ...] = (
    (QuizShape, "the quiz"),
    (ChoiceShape, "a question"),
    (OptionShape, "an option"),
    (TrueFalseShape, "a true/false question"),
    (TrueFalseFeedbackShape, "the feedback of a true/false question"),
)
_NAMES: dict[type[BaseModel], str] = dict(_PLACES)

_EXPECTED = {
    "id": "use small letters, digits and hyphens, at most 64, like `what-is-traded`",
    "language": "write en, tr, pt-BR or the like",
    "type": "write single, multiple or true_false",
    "key": "write `key: missing`, or mark the right answer",
    "format": "write `format: 1`",
    "tags": "write them as a list: [training, memory]",
    "options": "write them as a list, each beginning with `- text:`",
    "questions": "write them as a list, each beginning with `- id:`",
}


def shape_problems(error: ValidationError, quiz: Raw) -> Iterator[Problem]:
    """Yield what pydantic found in a quiz as typed, in the author's terms."""
    for details in error.errors(include_url=False):
        yield _problem(_path(details["loc"]), details, quiz)


def _path(loc: tuple[int | str, ...]) -> Path:
    """Return where an error stands in the file: without the name of the shape a question was tried as."""
    return loc[:2] + loc[3:] if loc[:1] == ("questions",) else loc


def _problem(path: Path, details: "ErrorDetails", quiz: Raw) -> Problem:
    name = _field(path)
    facts: dict[str, object] = {"name": name, "place": _NAMES[_model(path[:-1], quiz)]}
    match details["type"]:
        case "missing":
            remedy = _EXPECTED.get(name, "add it") if name != "format" else "write `format: 1` on top"
            return Problem(path[:-1], "{place} has no `{name}`", remedy, facts)
        case "extra_forbidden":
            return _unknown(path, name, _model(path[:-1], quiz))
        case "flag":
            facts["value"] = _shown(details["input"])
            return Problem(path, "`{name}` is `{value}`", "write exactly true or false", facts)
        case "too_short" | "too_long":
            return _wrong_number(path, details, facts)
        case "string_pattern_mismatch" | "literal_error":
            facts["value"] = _shown(details["input"])
            return Problem(path, "`{name}` cannot be `{value}`", _EXPECTED.get(name, "see the format"), facts)
        case _:
            return _wrong_kind(path, details, facts)


def _wrong_number(path: Path, details: "ErrorDetails", facts: dict[str, object]) -> Problem:
    limits = details.get("ctx", {})
    facts |= {"count": limits.get("actual_length")}
    if details["type"] == "too_short":
        facts["least"] = limits.get("min_length")
        return Problem(
            path, "`{name}` has {count} entries, it needs at least {least}", "add what is missing", facts
        )
    facts["most"] = limits.get("max_length")
    return Problem(path, "`{name}` has {count} entries, {most} is the most", "take some out", facts)


def _wrong_kind(path: Path, details: "ErrorDetails", facts: dict[str, object]) -> Problem:
    name = _field(path)
    facts["value"] = _shown(details["input"])
    match details["type"]:
        case "list_type":
            return Problem(path, "`{name}` should be a list", _EXPECTED.get(name, "write a list"), facts)
        case "model_type" | "model_attributes_type" | "union_tag_not_found":
            message = "here should stand fields, each on a line of its own as `name: value`"
            return Problem(path, message, "look at the indentation", facts)
        case "dict_type":
            message = "`{name}` should be one text, or one text for each language"
            return Problem(path, message, "write a text, or {{en: …, tr: …}}", facts)
        case _:
            message = "here should stand one text, not {value}"
            return Problem(path, message, "put the text in quotes or after |", facts)


def _unknown(path: Path, name: str, model: type[BaseModel]) -> Problem:
    facts: dict[str, object] = {"name": quoted(name), "place": _NAMES[model]}
    message = "{place} has no field `{name}`"
    if model is TrueFalseShape and name == "options":
        remedy = "write `answer: true` or `answer: false` instead"
    elif near := difflib.get_close_matches(name, model.model_fields, 1):
        facts["near"] = near[0]
        remedy = "did you mean `{near}`?"
    elif homes := [other for other, _ in _PLACES if name in other.model_fields]:
        facts["home"] = _NAMES[homes[0]]
        remedy = "it belongs to {home}: look at the indentation"
    else:
        facts["known"] = ", ".join(model.model_fields)
        remedy = "there are {known}"
    return Problem(path, message, remedy, facts, at_name=True)


def _model(path: Path, quiz: Raw) -> type[BaseModel]:
    """Return the shape of the mapping at a path."""
    match path:
        case ("questions", int(place)):
            questions = cast("dict[str, list[Raw]]", quiz)["questions"]
            return TrueFalseShape if kind_of(questions[place]) == "true_false" else ChoiceShape
        case ("questions", int(), "options", int()):
            return OptionShape
        case ("questions", int(), "feedback"):
            return TrueFalseFeedbackShape
        case _:
            return QuizShape


def _field(path: Path) -> str:
    """Return the name of the field at a path, or of the one whose list or languages the path leads into."""
    names = [step for step in path if isinstance(step, str)]
    return names[-1] if names else "quiz"


def _shown(value: object) -> str:
    return quoted(value) if isinstance(value, str) else "a list or several fields"
