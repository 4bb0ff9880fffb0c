"""What `check` says of quiz files: every fault, or what there is to play, and in which languages."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.content.native import Loaded, load_quizzes


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of checking files and folders."""

    loaded: Loaded

    @property
    def ok(self) -> bool:
        """Tell whether no file has a fault."""
        return not self.loaded.faults

    def as_text(self) -> str:
        """Return the faults, one a line; without any, the count of quizzes, questions and languages."""
        if self.loaded.faults:
            return "\n".join(map(str, self.loaded.faults))
        questions = [question for quiz in self.loaded.quizzes for question in quiz.questions]
        lines = [f"{_count(len(self.loaded.quizzes), 'quiz', 'quizzes')}, {_questions(len(questions))}"]
        languages = Counter(language for question in questions for language in question.version.languages())
        lines += [f"{language}: {_questions(count)}" for language, count in sorted(languages.items())]
        if keyless := sum(question.version.key is None for question in questions):
            lines.append(f"without a right answer, so never scored: {_questions(keyless)}")
        return "\n".join(lines)


def check_paths(paths: Iterable[Path]) -> Checked:
    """Check quiz files, and the YAML files of folders."""
    return Checked(load_quizzes(paths))


def _questions(count: int) -> str:
    return _count(count, "question", "questions")


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
