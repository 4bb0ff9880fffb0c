"""YAML as typed: every scalar is text, what a quiz does not need is refused with its line and column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.content.faults import Fault
from bot.content.yamltext import MAX_BYTES, Tree, decode, parse


def _marks(tree: Tree) -> list[tuple[int, int]]:
    return [(fault.line, fault.column) for fault in tree.faults]


def _only_fault(text: str) -> str:
    (fault,) = parse(text, "q.yaml").faults
    return str(fault)


@pytest.mark.parametrize(
    "typed", ["yes", "no", "on", "07", "1e3", "12:30", "null", "~", "true", "0x1F", "2024-01-01", ".inf", "="]
)
def test_a_scalar_is_what_the_author_typed(typed: str):
    assert parse(f"a: {typed}\nb: [{typed}]\n{typed}: x\n", "q").data == {
        "a": typed,
        "b": [typed],
        typed: "x",
    }


def test_quotes_and_blocks_are_read_as_yaml_has_them():
    tree = parse("a: \"x\\ty\"\nb: 'it''s'\nc: |\n  one\n  two\nd: >-\n  one\n  two\ne:\n", "q")
    assert tree.data == {"a": "x\ty", "b": "it's", "c": "one\ntwo\n", "d": "one two", "e": ""}


def test_everything_refused_is_refused_in_one_go():
    text = "a: *x\nb: &q z\nc: !t r\n? [k]\n: 3\n<<: {d: e}\nf: 1\nf: 2\n"
    tree = parse(text, "q.yaml")
    assert _marks(tree) == [(1, 4), (2, 4), (3, 4), (4, 3), (6, 1), (8, 1)]
    assert "first on line 7" in str(tree.faults[-1])


@pytest.mark.parametrize(
    ("text", "start", "says"),
    [
        ("a: b: c\n", "q.yaml:1:5: ", "in quotes"),
        ("a: 1\nb: 'open\n", "q.yaml:2:4: ", "close the quotes"),
        ("a: `b`\n", "q.yaml:1:4: ", "in quotes"),
        ("a: ş\n\tb: c\n", "q.yaml:2:1: ", "valid YAML"),
        ("a: ş b\x07\n", "q.yaml:1:7: ", "U+0007"),
        ("", "q.yaml:1:1: ", "the file is empty"),
        ("# nothing\n", "q.yaml:1:1: ", "the file is empty"),
        ("a: b\n---\nc: d\n", "q.yaml:2:1: ", "second document"),
        ('a: "\\ud800"\n', "q.yaml:1:7: ", "valid YAML"),
        ("{a: " * 5000, "q.yaml:1:49: ", "too deep"),
    ],
)
def test_what_yaml_cannot_read_is_told_with_its_place(text: str, start: str, says: str):
    fault = _only_fault(text)
    assert fault.startswith(start)
    assert says in fault


def test_depth_is_bounded_before_anything_is_built():
    assert parse("[" * 100_000, "q").faults
    assert parse("- " * 100_000, "q").faults


def test_columns_count_characters():
    tree = parse("ğü: {😀: a, ş: b}\n", "q")
    assert tree.mark(("ğü", "ş")) == (1, 15)
    assert tree.mark(("ğü", "ş"), at_name=True) == (1, 12)
    assert tree.mark(("ğü", "missing")) == (1, 5)


def test_a_byte_order_mark_is_accepted_and_other_encodings_are_refused_in_words():
    assert decode("\ufeffa: ş".encode(), "q") == "a: ş"
    for data, says in (
        ("a: ş".encode("utf-16"), "UTF-16"),
        ("a: ş".encode("utf-16-le"), "UTF-16"),
        ("ab: c\r\nd: ş".encode("cp1254"), "UTF-8"),
        (b"a" * (MAX_BYTES + 1), "1024 KiB"),
    ):
        fault = decode(data, "q")
        assert isinstance(fault, Fault)
        assert says in str(fault)
    assert str(decode("ab: c\r\nd: ş".encode("cp1254"), "q")).startswith("q:2:4: ")


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail(data: bytes):
    text = decode(data, "q")
    if isinstance(text, str):
        tree = parse(text, "q")
        assert tree.data is not None or tree.faults


@given(st.text(st.sampled_from("ab:-?[]{}&*!|>'\"%@`#, \n\t\\.~ğ<"), max_size=40))
def test_no_text_makes_the_reader_fail(text: str):
    tree = parse(text, "q")
    assert tree.data is not None or tree.faults
    assert all(fault.line >= 1 and fault.column >= 1 and str(fault) for fault in tree.faults)
