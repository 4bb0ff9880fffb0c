"""Texts ↔ core objects: native quiz files, foreign documents, and how author texts stand in a message.

It knows nothing of Discord, SQL or the interface's languages, and it never guesses what an author left open.
"""

from bot.content.check import Checked, check_paths
from bot.content.documents import Format, detect, import_document
from bot.content.draft import draft_quiz, draft_yaml
from bot.content.escape import escape, units
from bot.content.faults import Fault
from bot.content.native import Loaded, load_quizzes, quiz_folders, read_quiz
from bot.content.report import Report
from bot.content.write import to_yaml

__all__ = [
    "Checked",
    "Fault",
    "Format",
    "Loaded",
    "Report",
    "check_paths",
    "detect",
    "draft_quiz",
    "draft_yaml",
    "escape",
    "import_document",
    "load_quizzes",
    "quiz_folders",
    "read_quiz",
    "to_yaml",
    "units",
]
