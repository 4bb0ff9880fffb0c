"""Aiken, Moodle's simplest text format: a question, lettered options, and `ANSWER: B`.

It is read leniently, since most such files are written by hand: mixed separators, missing or surplus blank lines and
small letters come in, each with a warning.
"""

from bot.content.blocks import Block, finish, key_of
from bot.content.report import Doubt, FoundQuestion, Report, Skipped


def read_aiken(text: str, name: str) -> Report:
    """Return what an Aiken file holds."""
    questions: list[FoundQuestion] = []
    skipped: list[Skipped] = []
    doubts: list[Doubt] = []
    for block in _blocks(text.split("\n")):
        found = finish(block)
        if isinstance(found, Skipped):
            skipped.append(found)
        else:
            questions.append(found)
            doubts += sorted(block.doubts, key=lambda doubt: doubt.line)
    return Report("aiken", name, "", "", tuple(questions), tuple(skipped), tuple(doubts))


def _blocks(lines: list[str]) -> list[Block]:
    blocks: list[Block] = []
    after_blank = True
    for number, line in enumerate(lines, 1):
        if line.strip():
            _take(blocks, number, line, after_blank)
        after_blank = not line.strip()
    return blocks


def _take(blocks: list[Block], number: int, line: str, after_blank: bool) -> None:
    block = blocks[-1] if blocks else None
    key = key_of(line)
    if block and block.options and key is not None:
        block.keys.append((number, key))
        if key.islower():
            block.doubts.append(Doubt(number, f"the key “{key}” is a small letter"))
    elif block and not block.keys and (marked := block.option(line)):
        block.add_option(number, marked)
    elif block and not block.keys and not (block.options and after_blank):
        if block.options:
            block.doubts.append(Doubt(number, "this line was taken as part of the option above"))
        block.add_line(line)
    else:
        blocks.append(Block(number, [line.strip()]))
        if not after_blank:
            blocks[-1].doubts.append(Doubt(number, "a blank line is missing before this question"))
