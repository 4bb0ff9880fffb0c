"""An author's characters are read as typed: by CommonMark as the sandbox draws it, and by Discord's own patterns."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.content.escape import escape, units

_md = MarkdownIt("commonmark", {"html": False}).enable("strikethrough")
_md.disable(["lheading", "hr", "code", "entity", "reference"])
_md.inline.add_terminator_char("|")

_PIECES = st.sampled_from(
    [
        *"*_~|`<>@#[]()!:.-+\\ \nab1ğ😀",
        *("___", "**", "~~", "||", "```", "``", "~~~\n", "`x`", "\n```py\nx_y\n```\n", "    ", "\t"),
        *("\n# ", "\n-# ", "\n- ", "\n1. ", "\n>>> ", ":smile:"),
        *("<t:1:R>", "<@1>", "<#2>", "</a:1>", "@everyone", "@here"),
        *("https://a.b/c_d", "https://a.b/_c_", "http://x*y*", "[x](https://e.f)"),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=14).map("".join)
_HARMLESS_TOKENS = {"paragraph_open", "paragraph_close", "inline", "fence"}
_HARMLESS_INLINE = {"text", "text_special", "softbreak", "hardbreak", "code_inline"}


def _read(drawn: str) -> str:
    """Return what a reader sees, as one line without backticks; refuse everything that is not plain or code."""
    seen: list[str] = []
    for token in _md.parse(drawn):
        assert token.type in _HARMLESS_TOKENS, token
        if token.type == "fence":
            seen.append(f"\n{token.info}\n{token.content}\n")
        for child in token.children or ():
            assert child.type in _HARMLESS_INLINE, child
            seen.append("\n" if child.type.endswith("break") else child.content)
        seen.append("\n")
    return _without_ticks("".join(seen))


def _without_ticks(text: str) -> str:
    return "".join(text.replace("`", "").split())


@given(_TEXTS)
@example("`a\\`b`")
@example("``a`")
@example("```\n\n```")
@example("A.\n\n1.")
def test_commonmark_gives_back_the_authors_characters(text: str):
    assert _read(escape(text)) == _without_ticks(text)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=60))
def test_any_text_is_read_as_typed(text: str):
    assert _read(escape(text)) == _without_ticks(text)


@given(_TEXTS)
def test_discords_own_patterns_find_nothing_to_format(text: str):
    # In the order Discord's reader tries them: escape, fenced code, code span, address.
    token = re.compile(
        r"\\[^0-9A-Za-z\s]"
        r"|```(?:[a-z0-9_+\-.#]+?\n)?\n*[^\n][\s\S]*?\n*```"
        r"|(`+)[\s\S]*?[^`]\1(?!`)"
        r"|https?://[^\s<]+[^<.,:;\"'\]\s]",
        re.IGNORECASE,
    )
    left = token.sub("¤", escape(text))
    assert not re.search(r"[*_~|`<@\[\]\\]", left)
    assert not re.search(r"^\s*(?:#{1,3}|-#|-|>|>>>|\d+\.)\s", left, re.MULTILINE)
    assert not re.search(r":[A-Za-z0-9_+-]+:", left)


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("The ___ pass", r"The \_\_\_ pass"),
        ("`x_1 * x_2` is kept, x_1 is not", r"`x_1 * x_2` is kept, x\_1 is not"),
        ("an unbalanced ` stays", r"an unbalanced \` stays"),
        ("``a`b`` and ``c", r"``a`b`` and \`\`c"),
        ("```py\na_b\n```", "```py\na_b\n```"),
        ("1. first", r"1\. first"),
        ("3.14 is not a list", "3.14 is not a list"),
        ("-# small", r"\-# small"),
        ("mail a@b.c, @everyone", r"mail a\@b.c, \@everyone"),
        ("<t:1:R> <@5> <#6>", r"\<t\:1:R> \<\@5> \<#6>"),
        ("[x](https://a.b/c)", r"\[x\](https://a.b/c)"),
        ("https://a.b/Gradient_descent_(x)", "https://a.b/Gradient_descent_(x)"),
        ("https://a.b/~me", "https://a.b/~me"),
        ("https://a.b/*c*", r"https\://a.b/\*c\*"),
        (":smile:", r"\:smile:"),
        ("a\r\nb\rc", "a\nb\nc"),
    ],
)
def test_what_is_escaped(typed: str, drawn: str):
    assert escape(typed) == drawn


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("**bold** and `@everyone`", "**bold** and `@everyone`"),
        ("@everyone @here <@1> <@&2> <#3> </a b:4>", r"\@everyone \@here \<@1> \<@&2> \<#3> \</a b:4>"),
        (r"\<@1> stays escaped once", r"\<@1> stays escaped once"),
        (r"\\<@1>", r"\\\<@1>"),
        ("<t:1:R> 1 < 2 <b> a@b.c", "<t:1:R> 1 < 2 <b> a@b.c"),
    ],
)
def test_markdown_is_left_and_mentions_are_not(typed: str, drawn: str):
    assert escape(typed, markdown=True) == drawn


def test_length_is_counted_in_utf_16_units():
    assert units("ağ😀") == 4
