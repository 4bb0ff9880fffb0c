"""Discord's markdown as safe HTML, for the page (discord-facts §7). Text in, HTML out; HTML in the text
stays text.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

Named = Callable[[str, int], str | None]
"""Tells the name of a member, channel or role: kind ("member", "channel", "role") and id to name, or None."""

_HEADING = re.compile(r"(-#|#{1,3}) +(.+?) *$")
_SPECIAL = re.compile(
    r"<(?:t:(?P<unix>-?\d{1,14})(?::(?P<style>[tTdDfFRsS]))?"
    r"|@!?(?P<member>\d+)|#(?P<channel>\d+)|@&(?P<role>\d+)"
    r"|/(?P<command>[^:<>\n]{1,100}):\d+|a?:(?P<emoji>\w{2,32}):\d+)>"
)
_ADDRESS = re.compile(r"https?://[^\s<>|]*[^\s<>|.,:;!?\"'\]\)*_~]")
_JUMP = re.compile(r"https://(?:\w+\.)?discord\.com/channels/(\d+|@me)/(\d+)(?:/(\d+))?")
_FARTHEST = 253_402_300_799
"""The last second of the year 9999."""


def render(text: str, named: Named) -> str:
    """Turn a message's text into HTML."""
    return str(_PARSER.render(text, {"named": named}))


def _headings(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    if state.is_code_block(line):
        return False
    source = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
    match = _HEADING.fullmatch(source)
    if match is None:
        return False
    if silent:
        return True
    small = match[1] == "-#"
    tag = "small" if small else f"h{len(match[1])}"
    state.line = line + 1
    state.push("heading_open", tag, 1)
    inline = state.push("inline", "", 0)
    inline.content, inline.children, inline.map = match[2], [], [line, line + 1]
    state.push("heading_close", tag, -1)
    return True


def _quotes(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    def source(number: int) -> str:
        return state.src[state.bMarks[number] : state.eMarks[number]]

    if not source(line).startswith(("> ", ">>> ")):
        return False
    if silent:
        return True
    to_the_end = source(line).startswith(">>> ")
    last = end_line if to_the_end else line
    while not to_the_end and last < end_line and source(last).startswith("> "):
        last += 1
    inner = [source(number) for number in range(line, last)]
    inner = [inner[0][4:], *inner[1:]] if to_the_end else [one[2:] for one in inner]
    state.push("blockquote_open", "blockquote", 1)
    state.md.block.parse("\n".join(inner), state.md, state.env, state.tokens)
    state.push("blockquote_close", "blockquote", -1)
    state.line = last
    return True


def _spoilers(state: StateInline, silent: bool) -> bool:
    start, end = state.pos, state.posMax
    if not state.src.startswith("||", start):
        return False
    state.pos = start + 2
    while state.pos < end and not state.src.startswith("||", state.pos):
        state.md.inline.skipToken(state)
    found = state.pos
    if found >= end or found == start + 2:
        state.pos = start
        return False
    if not silent:
        state.posMax = found
        state.pos = start + 2
        state.push("spoiler_open", "span", 1).attrs = {"class": "spoiler", "tabindex": "0", "role": "button"}
        state.md.inline.tokenize(state)
        state.push("spoiler_close", "span", -1)
    state.pos, state.posMax = found + 2, end
    return True


def _specials(state: StateInline, silent: bool) -> bool:
    match = _SPECIAL.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("special", "", 0).meta = match.groupdict()
    state.pos = match.end()
    return True


def _addresses(state: StateInline, silent: bool) -> bool:
    match = _ADDRESS.match(state.src, state.pos, state.posMax)
    if match is None or state.linkLevel > 0:
        return False
    if not silent:
        state.push("link_open", "a", 1).attrs = {"href": match[0]}
        state.push("text", "", 0).content = match[0]
        state.push("link_close", "a", -1)
    state.pos = match.end()
    return True


def _render_special(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    parts = tokens[index].meta
    if parts["unix"] is not None:
        return _time(int(parts["unix"]), parts["style"] or "f")
    for kind, sign in (("member", "@"), ("channel", "#"), ("role", "@")):
        if parts[kind] is not None:
            name = env["named"](kind, int(parts[kind])) or f"unknown {kind}"
            return f'<span class="mention" data-{kind}="{parts[kind]}">{sign}{escape(name)}</span>'
    if parts["command"] is not None:
        return f'<span class="mention" data-command="{escape(parts["command"])}">/{escape(parts["command"])}</span>'
    return f'<span class="emoji">:{escape(parts["emoji"])}:</span>'


def _time(unix: int, style: str) -> str:
    inside = -_FARTHEST < unix < _FARTHEST and unix > -62_135_596_800
    text = datetime.fromtimestamp(unix, tz=UTC).strftime("%Y-%m-%d %H:%M UTC") if inside else str(unix)
    return f'<time data-unix="{unix}" data-style="{style}">{text}</time>'


def _render_strong(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    tag = "u" if token.markup == "__" else "strong"
    return f"<{tag}>" if token.nesting == 1 else f"</{tag}>"


def _render_link(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    href = str(tokens[index].attrs.get("href", ""))
    if jump := _JUMP.fullmatch(href):
        guild, channel, message = jump.groups(default="")
        return (
            f'<a class="jump" href="{escape(href)}" data-guild="{guild}" data-channel="{channel}" '
            f'data-message="{message}">'
        )
    return f'<a href="{escape(href)}" target="_blank" rel="noopener noreferrer">'


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("strikethrough")
    parser.disable(["lheading", "hr", "code", "entity", "reference", "heading", "blockquote", "image"])
    parser.disable(["html_block", "html_inline"])
    endings: RuleOptionsType = {"alt": ["paragraph", "list"]}
    parser.block.ruler.before("list", "headings", _headings, endings)
    parser.block.ruler.before("headings", "quotes", _quotes, endings)
    # `|` and `h` end plain text, or spoilers and bare addresses would never be seen inside it.
    for character in "|h":
        parser.inline.add_terminator_char(character)
    parser.inline.ruler.before("emphasis", "spoilers", _spoilers)
    parser.inline.ruler.before("autolink", "specials", _specials)
    parser.inline.ruler.before("link", "addresses", _addresses)
    for name in ("strong_open", "strong_close"):
        parser.add_render_rule(name, _render_strong)
    parser.add_render_rule("special", _render_special)
    parser.add_render_rule("link_open", _render_link)
    return parser


_PARSER = _make_parser()
