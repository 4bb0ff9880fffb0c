"""The quizzes a member can choose from, drawn as a list and one by one. Pure, as all drawing."""

from babel import Locale, UnknownLocaleError
from discord import ui

from bot.content.escape import escape
from bot.core.cards import QuizCard, QuizListCard, QuizRow
from bot.core.quiz import in_language
from bot.i18n import Words
from cogs.ui import parts
from cogs.ui.ids import Press, make
from cogs.ui.parts import Item

DETAIL = (160, 60, 0)
"""Units of each description that a page quotes: the most that lets all quizzes fit. At 0, all but title
and number of questions is left to the quiz's own card.
"""


def quiz_list(card: QuizListCard, words: Words) -> list[Item]:
    """Draw a page of quizzes, each with the button that opens it, in as much detail as there is room for."""
    search = parts.plain(card.search)
    heading = "### " + (
        words.gettext("Quizzes for “{search}”", search=search) if search else words.gettext("Quizzes")
    )
    if card.pages > 1:
        page = words.gettext("page {number} of {total}", number=card.page + 1, total=card.pages)
        heading += f" · {page}"
    if not card.rows:
        return _no_quizzes(heading, card, words)
    container = parts.container(heading)
    for row, line in zip(card.rows, _rows(card, heading, words), strict=True):
        opening = parts.button(words.gettext("Open"), make(Press.QUIZ, row.id))
        container.add_item(ui.Section(parts.text(line), accessory=opening))
    paging = parts.pager(card.page, card.pages, lambda page: make(Press.QUIZZES, page, card.search), words)
    if paging:
        container.add_item(ui.ActionRow(*paging))
    return [container]


def _no_quizzes(heading: str, card: QuizListCard, words: Words) -> list[Item]:
    if not card.search:
        kind = words.gettext("There is no quiz here yet. Whoever runs the bot can add quiz files to it.")
        return [parts.container(heading, kind)]
    kind = words.gettext("Nothing found. A single word of the title or a topic finds the most.")
    container = parts.container(heading, kind)
    every = parts.button(words.gettext("All quizzes"), make(Press.QUIZZES, 0, ""))
    container.add_item(ui.ActionRow(every))
    return [container]


def _rows(card: QuizListCard, heading: str, words: Words) -> list[str]:
    lines: list[str] = []
    for description in DETAIL:
        lines = [_quiz_line(row, description, words) for row in card.rows]
        if parts.fits([heading, *lines]):
            break
    return lines


def _quiz_line(row: QuizRow, description: int, words: Words) -> str:
    about = (
        parts.first_words(in_language(row.description, words.language), description) if description else ""
    )
    facts = _facts(row, words) if description else _count(row.questions, words)
    return "\n".join(filter(None, [f"**{parts.title(row.title, words)}**", about, f"-# {facts}"]))


def quiz(card: QuizCard, words: Words) -> list[Item]:
    """Draw one quiz in full, with the button that starts a round of it here."""
    row = card.quiz
    facts = [f"-# {_facts(row, words)}"]
    if card.keyless:
        keyless = words.ngettext(
            "{count} question has no right answer entered: it is asked, but not scored.",
            "{count} questions have no right answer entered: they are asked, but not scored.",
            card.keyless,
        )
        facts.append(f"-# {keyless}")
    container = parts.container(
        f"## {parts.title(row.title, words)}",
        escape(in_language(row.description, words.language)),
        "\n".join(facts),
    )
    buttons = ui.ActionRow[ui.LayoutView]()
    if card.may_start:
        start = make(Press.START_QUIZ, row.id)
        buttons.add_item(parts.button(words.gettext("Start here"), start, strong=True))
    buttons.add_item(parts.button(words.gettext("All quizzes"), make(Press.QUIZZES, 0, "")))
    container.add_item(buttons)
    return [container]


def _facts(row: QuizRow, words: Words) -> str:
    languages = words.listing([_language(code, words) for code in row.languages])
    tags = " ".join(f"#{parts.plain(tag)}" for tag in row.tags)
    return " · ".join(filter(None, [_count(row.questions, words), languages, tags]))


def _count(questions: int, words: Words) -> str:
    return words.ngettext("{count} question", "{count} questions", questions)


def _language(code: str, words: Words) -> str:
    try:
        name = Locale.parse(code, sep="-").get_display_name(words.language)
    except (UnknownLocaleError, ValueError):
        name = None
    return name or code
