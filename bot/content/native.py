"""Quizzes in the native format: files → core quizzes, or every fault with its line and column.

A file with faults gives no quiz, and takes none of the others with it. Nothing is guessed and nothing is cut.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bot.content.faults import Fault, Problem
from bot.content.limits import MAX_QUESTIONS
from bot.content.models import ONE_STRING, ChoiceShape, QuizShape, TrueFalseShape
from bot.content.rules import problems
from bot.content.shapes import shape_problems
from bot.content.yamltext import MAX_BYTES, Raw, Tree, decode, parse
from bot.core.quiz import FALSE, TRUE, Kind, Option, Question, Quiz, Text, Version

SUFFIXES = (".yaml", ".yml")
SHIPPED = Path(__file__).resolve().parents[2] / "quizzes"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The quizzes of the files without faults, in the order given, and the faults of the others."""

    quizzes: tuple[Quiz, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    quiz: Quiz | None
    faults: tuple[Fault, ...]
    id_mark: tuple[int, int] = (1, 1)


def quiz_folders(own: Path | None) -> list[Path]:
    """Return the folders that are loaded: the shipped quizzes', and an operator's own where there is one."""
    return [SHIPPED, *([own] if own else [])]


def read_quiz(data: bytes, file: str) -> Quiz | tuple[Fault, ...]:
    """Return the quiz a file holds, or everything that is wrong with it."""
    read = _read(data, file)
    return read.faults if read.quiz is None else read.quiz


def load_quizzes(paths: Iterable[Path]) -> Loaded:
    """Read quiz files, and the YAML files of folders; no two may have the same quiz id."""
    quizzes: dict[str, tuple[Quiz, str]] = {}
    faults: list[Fault] = []
    for path in paths:
        for file in _files(path, faults):
            read = _read_file(file)
            faults += read.faults
            if read.quiz is None:
                continue
            if read.quiz.ref in quizzes:
                facts = {"id": read.quiz.ref, "other": quizzes[read.quiz.ref][1]}
                message = "{other} has the quiz id `{id}` already"
                faults.append(Fault(str(file), *read.id_mark, message, "give one of them another", facts))
            else:
                quizzes[read.quiz.ref] = (read.quiz, str(file))
    return Loaded(tuple(quiz for quiz, _ in quizzes.values()), tuple(faults))


def _files(path: Path, faults: list[Fault]) -> list[Path]:
    """Return the quiz files a path names: itself, or those directly in the folder."""
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix in SUFFIXES and file.is_file())
    if path.is_file():
        return [path]
    faults.append(Fault(str(path), 1, 1, "there is no such file or folder", "look at the path"))
    return []


def _read_file(file: Path) -> _Read:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        fault = Fault(
            str(file), 1, 1, "the file cannot be read: {reason}", "look at its rights", {"reason": reason}
        )
        return _Read(None, (fault,))
    return _read(data, str(file))


def _read(data: bytes, file: str) -> _Read:
    text = decode(data, file)
    if isinstance(text, Fault):
        return _Read(None, (text,))
    tree = parse(text, file)
    if tree.data is None:
        return _Read(None, tuple(tree.faults))
    shape, found = _judge(tree.data)
    faults = [*tree.faults, *(_placed(problem, tree) for problem in found)]
    if shape is None or faults:
        return _Read(None, tuple(sorted(faults, key=lambda fault: (fault.line, fault.column))))
    return _Read(_quiz(shape), (), tree.mark(("id",)))


def _judge(data: Raw) -> tuple[QuizShape | None, list[Problem]]:
    if not isinstance(data, dict):
        message = "this is no quiz: its fields are missing"
        return None, [Problem((), message, "begin with `format: 1`, `id:`, `title:` and `language:`")]
    questions = data.get("questions")
    if isinstance(questions, list) and len(questions) > MAX_QUESTIONS:
        facts = {"count": len(questions), "limit": MAX_QUESTIONS}
        message = "there are {count} questions, {limit} is the most"
        return None, [Problem(("questions",), message, "split the quiz in several", facts)]
    try:
        return QuizShape.model_validate(data), list(problems(data))
    except ValidationError as error:
        return None, [*shape_problems(error, data), *problems(data)]


def _placed(problem: Problem, tree: Tree) -> Fault:
    line, column = tree.mark(problem.path, at_name=problem.at_name)
    return Fault(tree.file, line, column, problem.message, problem.remedy, problem.facts)


def _quiz(shape: QuizShape) -> Quiz:
    return Quiz(
        ref=shape.id,
        title=_text(shape.title, shape.language),
        description=_text(shape.description, shape.language),
        language=shape.language,
        tags=tuple(tag.strip() for tag in shape.tags),
        questions=tuple(
            Question(question.id, _version(question, shape.language, shape.markdown))
            for question in shape.questions
        ),
    )


def _version(shape: ChoiceShape | TrueFalseShape, language: str, markdown: bool) -> Version:
    stem = _text(shape.stem, language)
    source = shape.source or {}
    if ONE_STRING in source:
        # A citation needs no translation.
        source = dict.fromkeys(stem, source[ONE_STRING])
    return Version(
        kind=Kind(shape.type),
        stem=stem,
        options=_options(shape, language),
        key=_key(shape),
        explanation=_text(shape.explanation, language),
        source=_text(source, language),
        markdown=markdown,
    )


def _options(shape: ChoiceShape | TrueFalseShape, language: str) -> tuple[Option, ...]:
    if isinstance(shape, ChoiceShape):
        return tuple(
            Option(_text(option.text, language), _text(option.feedback, language), option.pin)
            for option in shape.options
        )
    feedback = {
        TRUE: shape.feedback.true if shape.feedback else None,
        FALSE: shape.feedback.false if shape.feedback else None,
    }
    return tuple(Option({}, _text(feedback[place], language), pin=True) for place in (TRUE, FALSE))


def _key(shape: ChoiceShape | TrueFalseShape) -> frozenset[int] | None:
    if shape.key == "missing":
        return None
    if isinstance(shape, ChoiceShape):
        return frozenset(place for place, option in enumerate(shape.options) if option.correct)
    return frozenset({TRUE if shape.answer else FALSE})


def _text(text: Mapping[str, str] | None, language: str) -> Text:
    return {tongue or language: words.strip() for tongue, words in (text or {}).items()}
