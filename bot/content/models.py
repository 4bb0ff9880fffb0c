"""The native format, version 1: which fields there are, and of what kind.

The same models read a file and make the JSON Schema with which editors complete and check it; the lines under
the fields are what an editor shows. Values arrive as text, as typed. What one field says about another, and how
long texts may be, stands in `rules`.
"""

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema
from pydantic_core import PydanticCustomError

from bot.content.limits import MAX_OPTIONS, MAX_QUESTIONS, MAX_TAGS, MIN_OPTIONS

SLUG = r"^[a-z0-9][a-z0-9-]{0,63}$"
LANGUAGE = r"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$"

ONE_STRING = ""
"""The language under which a text that is one string is kept until the quiz's own language is known."""

# An editor's YAML reader makes numbers and booleans of what this format takes as typed.
_SCALAR: dict[str, Any] = {"type": ["string", "number", "boolean"], "minLength": 1}
_TEXT_SCHEMA: dict[str, Any] = {
    "anyOf": [
        _SCALAR,
        {
            "type": "object",
            "propertyNames": {"pattern": LANGUAGE},
            "additionalProperties": _SCALAR,
            "minProperties": 1,
        },
    ]
}


def _by_language(raw: object) -> object:
    return {ONE_STRING: raw} if isinstance(raw, str) else raw


def _flag(raw: object) -> object:
    if raw in ("true", "false"):
        return raw == "true"
    raise PydanticCustomError("flag", "neither true nor false")


def _version(raw: object) -> object:
    return 1 if raw == "1" else raw


Text = Annotated[dict[str, str], BeforeValidator(_by_language), WithJsonSchema(_TEXT_SCHEMA)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Slug = Annotated[
    str, Field(pattern=SLUG), WithJsonSchema({"type": ["string", "integer"], "pattern": SLUG, "minimum": 0})
]
Words = Annotated[str, WithJsonSchema(_SCALAR)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, frozen=True)


class OptionShape(_Shape):
    """One option of a question."""

    text: Text
    """What the option says: one text, or one for each language."""

    correct: Flag = False
    """Whether it is right: exactly `true` or `false`."""

    feedback: Text | None = None
    """Why this option is right, or what is wrong with it."""

    pin: Flag = False
    """Keeps its place when options are shuffled ("all of the above")."""


class _QuestionShape(_Shape):
    id: Slug
    """Stable name, unique in the quiz: small letters, digits and hyphens."""

    stem: Text
    """What is asked: one text, or one for each language."""

    key: Literal["missing"] | None = None
    """`missing` where the right answer is not known yet: the question is then never scored."""

    explanation: Text | None = None
    """Why the right answer is right; shown when the answer is."""

    source: Text | None = None
    """What the answer rests on; one text holds for every language."""


class ChoiceShape(_QuestionShape):
    """A question with options to choose from."""

    type: Literal["single", "multiple"] = "single"
    """`single` has one right option, `multiple` one or more."""

    options: Annotated[list[OptionShape], Field(min_length=MIN_OPTIONS, max_length=MAX_OPTIONS)]
    """Two to ten options, in the order written."""


class TrueFalseFeedbackShape(_Shape):
    """What to say to those who chose either answer."""

    true: Text | None = None
    """Shown to who answered true."""

    false: Text | None = None
    """Shown to who answered false."""


class TrueFalseShape(_QuestionShape):
    """A statement that is true or false; it has no options."""

    type: Literal["true_false"]
    """A statement that is true or false."""

    answer: Flag | None = None
    """Whether the statement is true: exactly `true` or `false`."""

    feedback: TrueFalseFeedbackShape | None = None
    """Feedback for either answer, under `true` and `false`."""


def kind_of(raw: object) -> str:
    """Return which of the two shapes a question is meant to have."""
    fields = cast("dict[str, object]", raw) if isinstance(raw, dict) else {}
    return "true_false" if fields.get("type") == "true_false" else "choice"


QuestionShape = Annotated[
    Annotated[ChoiceShape, Tag("choice")] | Annotated[TrueFalseShape, Tag("true_false")],
    Discriminator(kind_of),
]


class QuizShape(_Shape):
    """A quiz for Etüt, in the native format."""

    format: Annotated[Literal[1], BeforeValidator(_version)]
    """The version of this format: 1."""

    id: Slug
    """Stable name of the quiz: small letters, digits and hyphens."""

    title: Text
    """What the quiz is called: one text, or one for each language."""

    description: Text | None = None
    """What it is about, in a sentence or two."""

    language: Annotated[str, Field(pattern=LANGUAGE)]
    """What one-string texts are written in: en, tr, pt-BR …"""

    tags: Annotated[list[Words], Field(max_length=MAX_TAGS)] = []
    """Words to find the quiz by."""

    markdown: Flag = False
    """Draws texts as Discord markdown instead of as typed; mentions never work."""

    questions: Annotated[list[QuestionShape], Field(min_length=1, max_length=MAX_QUESTIONS)]
    """The questions, in order."""
