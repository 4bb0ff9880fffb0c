"""An author's text as it stands in a Discord message: what was typed is what is read.

Everything Discord would take for markdown, a mention or an emoji is escaped; code spans, fenced code and web
addresses of nothing but harmless characters stay as typed. Nobody is pinged either way, since every send says
so; this module only sees to it that texts look as written. It never cuts and inserts nothing but backslashes.
"""

import re

_CODE = r"""
    (?P<kept>
        # a fence on lines of its own, with something in it, and no other fence inside
        (?:\A|(?<=\n)) [ ]{0,3} ``` [A-Za-z0-9_+.\#-]* [ \t]* \n (?! \s* ```)
        (?: (?! \n [ ]{0,3} ``` | ``` ) [\s\S] )*+
        \n [ ]{0,3} ``` [ \t]* (?= \n | \Z )
    |
        # a span within one line: as many backticks at the end as at the start
        (?<!`) (?P<ticks> `{1,3}+ ) (?!`) (?: (?! ``` ) [^\n] )*? [^`\n] (?P=ticks) (?!`)
    )
"""

# Discord reads an address up to the next space, backslashes included: it is kept whole or not at all.
_ADDRESS = r"""
    (?P<address>
        https?:// (?: [^\s<>\\*_~|@\[\]`] | (?<=[^\W_]) _++ | ~ (?!~) )++ (?= \s | \Z )
    )
"""

_PLAIN = re.compile(
    _CODE
    + "|"
    + _ADDRESS
    + r"""
    | (?P<before> (?:\A|(?<=\n)) [^\S\n]* ) (?P<marker> [-+>\#] | [0-9]++ [.)] (?= \s | \Z ) )
    | : (?= // | [A-Za-z0-9_+-]+ : )
    | [\\*_~|<@\[\]`]
    """,
    re.VERBOSE | re.IGNORECASE,
)

_MARKDOWN = re.compile(
    _CODE
    + r"""
    | (?P<escaped> \\ [\s\S] )
    | @ (?= everyone | here )
    | < (?= [@\#] [!&]? [0-9]+ > | / [^>\n]+ : [0-9]+ > | id: [a-z]+ > )
    """,
    re.VERBOSE | re.IGNORECASE,
)


def escape(text: str, *, markdown: bool = False) -> str:
    """Return an author's text as Discord must be given it, so that every character is read as it was typed.

    With `markdown` the author's markdown works, and only mentions are made plain text.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if markdown:
        return _MARKDOWN.sub(_escaped_mention, lines)
    return _PLAIN.sub(_escaped, lines)


def units(text: str) -> int:
    """Return the length as Discord counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _escaped(found: re.Match[str]) -> str:
    if found["kept"] is not None or found["address"] is not None:
        return found[0]
    if found["marker"] is not None:
        return f"{found['before']}{found['marker'][:-1]}\\{found['marker'][-1]}"
    return "\\" + found[0]


def _escaped_mention(found: re.Match[str]) -> str:
    if found["kept"] is not None or found["escaped"] is not None:
        return found[0]
    return "\\" + found[0]
