"""What members read, in both languages, and that every card within the design's limits fits into one message."""

import dataclasses
import gettext
import json
from bisect import bisect
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.content import limits
from bot.content.escape import escape, units
from bot.core.cards import (
    AnswerCard,
    ChoiceCard,
    Face,
    LateCard,
    MistakeCard,
    MyResultCard,
    Outcome,
    QuestionCard,
    QuizCard,
    QuizListCard,
    QuizRow,
    Receipt,
    ResultCard,
    ResultRow,
    RevealCard,
    Shown,
    Standing,
)
from bot.core.quiz import Kind, Option, Version
from bot.i18n import Words, words_for
from cogs.ui import ids, parts
from cogs.ui.render import render

EN, TR = words_for("en"), words_for("tr")
AT = datetime(2026, 12, 5, 17, 0, tzinfo=UTC)
STAMP = int(AT.timestamp())
TOKEN = "abcdefghij"


class Wordy(gettext.NullTranslations):
    """A language that needs twice the room of English."""

    def gettext(self, message: str) -> str:
        return message + " " + "w" * len(message)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


WORDY = Words("en", Wordy())


# What a payload says ---------------------------------------------------------------------------------------------


def payload(card: Any, words: Words = EN) -> list[dict[str, Any]]:
    return render(card, words).to_components()


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        if accessory := component.get("accessory"):
            yield from walk([accessory])


def texts(card: Any, words: Words = EN) -> list[str]:
    return [one["content"] for one in walk(payload(card, words)) if one["type"] == 10]


def said(card: Any, words: Words = EN) -> str:
    return "\n".join(texts(card, words))


def buttons(card: Any, words: Words = EN) -> dict[str, dict[str, Any]]:
    return {one["label"]: one for one in walk(payload(card, words)) if one["type"] == 2}


def select(card: Any, words: Words = EN) -> dict[str, Any]:
    [found] = [one for one in walk(payload(card, words)) if one["type"] == 3]
    return found


def assert_discord_takes(card: Any, words: Words) -> None:
    """Hold the numbers of discord-facts.md, sections 3 and 4, with design.md's margin for bytes."""
    components = list(walk(payload(card, words)))
    assert len(components) <= 40
    written = [one["content"] for one in components if one["type"] == 10]
    assert written
    assert all(one.strip() for one in written)
    assert sum(map(units, written)) <= 4000
    assert sum(len(one.encode()) + 12 for one in written) <= 9500
    pressed = [one["custom_id"] for one in components if "custom_id" in one]
    assert len(pressed) == len(set(pressed))
    assert all(1 <= units(one) <= 100 for one in pressed)
    for one in components:
        match one["type"]:
            case 1:
                assert 1 <= len(one["components"]) <= 5
            case 2:
                assert 1 <= units(one["label"]) <= 80
            case 3:
                assert 1 <= len(one["options"]) <= 25
                assert units(one["placeholder"]) <= 150
                assert 1 <= one["min_values"] <= one["max_values"] <= len(one["options"])
                assert all(1 <= units(option["label"]) <= 100 for option in one["options"])
                assert len({option["value"] for option in one["options"]}) == len(one["options"])
            case 9:
                assert 1 <= len(one["components"]) <= 3


# Questions -------------------------------------------------------------------------------------------------------


def version(kind: Kind = Kind.SINGLE, key: frozenset[int] | None = frozenset({2}), **changes: Any) -> Version:
    options = tuple(
        Option(
            {"en": f"option {name}", "tr": f"seçenek {name}"},
            {"en": f"about {name}", "tr": f"{name} üzerine"},
        )
        for name in ("one", "two", "three", "four")
    )
    if kind is Kind.TRUE_FALSE:
        options = (Option({}, {"en": "It is so."}), Option({}, {"en": "It is not so."}))
    whole = Version(
        kind=kind,
        stem={"en": "What is traded?", "tr": "Ne takas edilir?"},
        options=options,
        key=key,
        explanation={"en": "Because.", "tr": "Çünkü."},
        source={"en": "A paper", "tr": "Bir makale"},
    )
    return dataclasses.replace(whole, **changes)


def shown(of: Version | None = None, order: tuple[int, ...] = ()) -> Shown:
    of = of or version()
    return Shown(TOKEN, 3, 8, of, order or tuple(reversed(range(len(of.options)))))


SHOWN = shown()
SEVERAL = shown(version(Kind.MULTIPLE, frozenset({0, 2})))


def test_an_open_question_has_a_section_for_each_option_with_its_letter_button() -> None:
    card = QuestionCard(SHOWN, AT, answered=2)
    assert texts(card) == [
        f"### Question 3 of 8 · ⏱ <t:{STAMP}:R>",
        "What is traded?",
        "**A** · option four",
        "**B** · option three",
        "**C** · option two",
        "**D** · option one",
        "-# 2 have answered",
    ]
    assert [one["custom_id"] for one in buttons(card).values()] == [
        f"a1:{TOKEN}:3:{place}" for place in range(4)
    ]
    assert list(buttons(card)) == ["A", "B", "C", "D"]


def test_an_open_question_in_turkish() -> None:
    assert texts(QuestionCard(SHOWN, AT, answered=2, away=True), TR) == [
        f"### Soru 3/8 · ⏱ <t:{STAMP}:R>",
        "Ne takas edilir?",
        "**A** · seçenek four",
        "**B** · seçenek three",
        "**C** · seçenek two",
        "**D** · seçenek one",
        "Bot bir süre yoktu: 15 saniye daha\n-# 2 kişi cevapladı",
    ]


def test_an_open_question_says_that_the_bot_was_away_and_counts_in_words() -> None:
    assert texts(QuestionCard(SHOWN, AT, away=True))[-1] == (
        "The bot was away: 15 seconds more\n-# No answers yet"
    )
    assert texts(QuestionCard(SHOWN, AT, answered=1))[-1] == "-# 1 has answered"


def test_the_words_of_true_and_false_come_from_the_catalogue() -> None:
    card = QuestionCard(shown(version(Kind.TRUE_FALSE, frozenset({1})), (0, 1)), AT)
    assert texts(card)[2:4] == ["**A** · True", "**B** · False"]
    assert texts(card, TR)[2:4] == ["**A** · Doğru", "**B** · Yanlış"]


def test_several_right_answers_are_one_text_and_one_button() -> None:
    card = QuestionCard(SEVERAL, AT)
    assert "**A** · option four\n**B** · option three" in texts(card)[2]
    assert "More than one answer may be right." in texts(card)[2]
    assert buttons(card)["Choose answers"]["custom_id"] == f"o1:{TOKEN}:3"
    assert list(buttons(card, TR)) == ["Cevapları işaretle"]


def test_a_question_is_shown_in_its_own_language_where_it_lacks_the_readers() -> None:
    english = version(explanation={"en": "Because."})
    assert "What is traded?" in said(QuestionCard(shown(english), AT), TR)
    assert "Soru 3/8" in said(QuestionCard(shown(english), AT), TR)
    assert "Because." in said(RevealCard(shown(english), frozenset({2}), (0, 0, 0, 0), 0, 0), TR)


def test_authors_text_is_escaped_unless_its_quiz_is_markdown() -> None:
    stem = {"en": "*What* <@1> `*x*`?"}
    plain = version(stem=stem)
    markdown = version(stem=stem, markdown=True)
    assert texts(QuestionCard(shown(plain), AT))[1] == r"\*What\* \<\@1> `*x*`?"
    assert texts(QuestionCard(shown(markdown), AT))[1].startswith("*What* ")


def test_fenced_code_in_an_option_stands_on_lines_of_its_own() -> None:
    code = version(options=(Option({"en": "```py\nx = 1\n```"}, {}), Option({"en": "no `x`"}, {})), key=None)
    card = RevealCard(shown(code, (0, 1)), frozenset({0}), (4, 0), 4, 4)
    assert "**A**\n```py\nx = 1\n```\n✅ right answer · 100% (4)\n**B** · no `x` · 0% (0)" in said(card)


# The reveal ------------------------------------------------------------------------------------------------------


def reveal(right: int = 5, answered: int = 8, **changes: Any) -> RevealCard:
    card = RevealCard(SHOWN, frozenset({2}), (1, 2, 5, 0), answered, right)
    return dataclasses.replace(card, **changes)


def test_a_reveal_shows_key_shares_explanation_and_source() -> None:
    assert texts(reveal()) == [
        "### Question 3 of 8",
        "What is traded?",
        "**A** · option four · 0% (0)\n**B** · option three · ✅ right answer · 62% (5)\n"
        "**C** · option two · 25% (2)\n**D** · option one · 12% (1)",
        "Right: 5 of 8",
        "**Explanation**\nBecause.\n-# Source: A paper",
    ]
    assert not buttons(reveal())


def test_a_reveal_in_turkish() -> None:
    assert texts(reveal(), TR) == [
        "### Soru 3/8",
        "Ne takas edilir?",
        "**A** · seçenek four · %0 (0)\n**B** · seçenek three · ✅ doğru cevap · %62 (5)\n"
        "**C** · seçenek two · %25 (2)\n**D** · seçenek one · %12 (1)",
        "Doğru cevaplayan: 5/8",
        "**Açıklama**\nÇünkü.\n-# Kaynak: Bir makale",
    ]


def test_below_three_answers_only_the_number_right_is_shown() -> None:
    card = reveal(right=1, answered=2, tally=(1, 0, 1, 0))
    assert "%" not in said(card)
    assert "(1)" not in said(card)
    assert "Right: 1 of 2" in said(card)


@pytest.mark.parametrize(
    ("card", "english", "turkish"),
    [
        (
            reveal(right=0, tally=(3, 5, 0, 0)),
            "Nobody had this one: a good one to remember.",
            "Bu soruyu bilen çıkmadı: akılda tutmaya değer.",
        ),
        (
            reveal(right=0, answered=0, tally=(0, 0, 0, 0)),
            "Nobody answered this one.",
            "Bu soruya cevap gelmedi.",
        ),
        (
            reveal(right=0, key=None),
            "No right answer has been entered: not scored",
            "Doğru cevabı girilmemiş: puanlanmadı",
        ),
        (
            reveal(reposted=True),
            "Right: 5 of 8\n-# The message of this question was deleted. All answers were kept.",
            "Doğru cevaplayan: 5/8\n-# Bu sorunun mesajı silinmişti. Cevapların hepsi duruyor.",
        ),
    ],
)
def test_the_lines_of_a_reveal(card: RevealCard, english: str, turkish: str) -> None:
    assert english in texts(card)
    assert turkish in texts(card, TR)


def test_a_missing_key_still_shows_the_shares_and_marks_nothing() -> None:
    card = reveal(key=None)
    assert "62% (5)" in said(card)
    assert "✅" not in said(card)


def test_more_than_three_right_answers_are_named_in_one_line() -> None:
    six = version(
        Kind.MULTIPLE, frozenset({0, 1, 2, 4}), options=tuple(Option({"en": f"o{i}"}, {}) for i in range(6))
    )
    card = RevealCard(shown(six, tuple(range(6))), six.key, (4, 4, 4, 0, 4, 0), 4, 4)
    assert said(card).count("✅") == 4
    assert "right answer" not in said(card)
    assert "Right answers: A, B, C, and E" in said(card)
    assert "Doğru cevaplar: A, B, C ve E" in said(card, TR)


def test_a_long_explanation_opens_from_a_button() -> None:
    long = version(stem={"en": "s" * 1500}, explanation={"en": "e" * 2000}, source={})
    options = tuple(dataclasses.replace(one, text={"en": "o" * 150}) for one in long.options)
    card = reveal(shown=shown(dataclasses.replace(long, options=options)))
    assert "eee" not in said(card)
    assert buttons(card)["Explanation"]["custom_id"] == f"w1:{TOKEN}:3"
    assert list(buttons(card, TR)) == ["Açıklama"]


def test_a_reveal_posted_anew_always_has_a_button_by_which_it_is_found_again() -> None:
    assert buttons(reveal(reposted=True))["My answer"]["custom_id"] == f"w1:{TOKEN}:3"
    assert list(buttons(reveal(reposted=True), TR)) == ["Cevabım"]


# The result ------------------------------------------------------------------------------------------------------


def result(**changes: Any) -> ResultCard:
    card = ResultCard(
        token=TOKEN,
        titles=({"en": "Activation Recomputation", "tr": "Aktivasyon Quizi"},),
        asked=8,
        questions=8,
        took_part=6,
        average=4500,
        podium=(
            Standing(1, "Ada", 8000),
            Standing(1, None, 8000),
            Standing(3, "*Grace*", 2500),
        ),
    )
    return dataclasses.replace(card, **changes)


def test_a_result_shows_turnout_average_and_podium() -> None:
    assert texts(result()) == [
        "## 🏁 Activation Recomputation\n6 took part · average 4.5 of 8",
        "**Podium**\n🥇 \u2068Ada\u2069 · 8 of 8\n🥇 someone · 8 of 8\n🥉 \u2068\\*Grace\\*\u2069 · 2.5 of 8",
    ]
    assert {label: one["custom_id"] for label, one in buttons(result()).items()} == {
        "My result": f"y1:{TOKEN}",
        "Review my mistakes": f"m1:{TOKEN}:0:0",
    }


def test_a_result_in_turkish() -> None:
    assert texts(result(), TR) == [
        "## 🏁 Aktivasyon Quizi\n6 kişi katıldı · ortalama 4,5/8",
        "**Dereceye girenler**\n🥇 \u2068Ada\u2069 · 8/8\n🥇 birisi · 8/8\n🥉 \u2068\\*Grace\\*\u2069 · 2,5/8",
    ]
    assert list(buttons(result(), TR)) == ["Sonucum", "Yanlışlarıma bak"]


@pytest.mark.parametrize(
    ("card", "english", "turkish"),
    [
        (
            result(podium=(), average=0),
            "No podium this time: these questions are worth a second look.",
            "Bu kez dereceye giren yok: bu sorulara bir daha bakmaya değer.",
        ),
        (
            result(podium=(), took_part=0, average=0),
            "Nobody took part this time.",
            "Bu kez katılan olmadı.",
        ),
        (
            result(podium=(), questions=0, unscored=8),
            "Nothing was scored this time.",
            "Bu kez puanlanan soru olmadı.",
        ),
        (
            result(podium=(), crowd=25),
            "🥇 25 members are on the podium. Well done!",
            "🥇 Dereceye giren: 25 kişi. Tebrikler!",
        ),
        (
            result(stopped=True, asked=3),
            "-# The quiz was stopped early, after 3 questions.",
            "-# Quiz erken bitirildi. Sorulan soru: 3",
        ),
        (
            result(stopped=True, asked=1, unscored=1),
            "-# The quiz was stopped early, after 1 question.\n-# 1 question was not scored.",
            "-# Quiz erken bitirildi. Sorulan soru: 1\n-# Puanlanmayan soru: 1",
        ),
    ],
)
def test_the_lines_of_a_result(card: ResultCard, english: str, turkish: str) -> None:
    assert english in texts(card)
    assert turkish in texts(card, TR)


def test_a_name_is_no_markdown_at_all() -> None:
    card = result(podium=(Standing(1, "`a`\n# @everyone", 1000),))
    assert "🥇 \u2068\\`a\\` \\# \\@everyone\u2069 · 1 of 8" in said(card)


def test_many_quizzes_are_three_titles_and_a_number() -> None:
    card = result(titles=tuple({"en": f"Q{i}"} for i in range(5)))
    assert texts(card)[0].startswith("## 🏁 Q0, Q1, Q2, and 2 more quizzes\n")


# Receipts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "english", "turkish"),
    [
        (
            Receipt(SHOWN, Outcome.SAVED, frozenset({2})),
            "Saved: B, *option three*. You can change it until the close.",
            "Cevabın kaydedildi: B, *seçenek three*. Süre dolana kadar değiştirebilirsin.",
        ),
        (Receipt(SHOWN, Outcome.SAME, frozenset({2})), "Still B ✔", "Cevabın hâlâ B ✔"),
        (
            Receipt(SHOWN, Outcome.CHANGED, frozenset({1}), frozenset({2})),
            "Changed: B → C",
            "Cevabın değişti: B → C",
        ),
        (Receipt(SHOWN, Outcome.KEPT, frozenset({1})), "Still C", "Cevabın hâlâ C"),
    ],
)
def test_a_receipt_is_one_line(card: Receipt, english: str, turkish: str) -> None:
    assert texts(card) == [english]
    assert texts(card, TR) == [turkish]


@pytest.mark.parametrize(
    ("card", "english", "turkish"),
    [
        (
            Receipt(SEVERAL, Outcome.SAVED, frozenset({3, 1})),
            "Saved: A, C",
            "Cevabın kaydedildi: A, C",
        ),
        (Receipt(SEVERAL, Outcome.SAME, frozenset({3, 1})), "Still A, C ✔", "Cevabın hâlâ A, C ✔"),
        (
            Receipt(SEVERAL, Outcome.CHANGED, frozenset({3, 0}), frozenset({3, 1})),
            "Changed: A, C → A, D",
            "Cevabın değişti: A, C → A, D",
        ),
        (Receipt(SEVERAL, Outcome.KEPT, frozenset({3, 1})), "Still A, C", "Cevabın hâlâ A, C"),
    ],
)
def test_a_receipt_of_several_answers_stands_above_their_select(
    card: Receipt, english: str, turkish: str
) -> None:
    assert texts(card)[0].splitlines()[0] == english
    assert texts(card, TR)[0].splitlines()[0] == turkish
    marked = {one["value"] for one in select(card)["options"] if one["default"]}
    assert marked == {str(place) for place in card.shown.places_shown(card.answer)}


def test_the_select_names_every_option_and_is_marked_by_places_shown() -> None:
    card = ChoiceCard(SEVERAL, AT, frozenset({0}))
    menu = select(card)
    assert menu["custom_id"] == f"s1:{TOKEN}:3"
    assert (menu["min_values"], menu["max_values"]) == (1, 4)
    assert [(one["label"], one["value"], one["default"]) for one in menu["options"]] == [
        ("A · option four", "0", False),
        ("B · option three", "1", False),
        ("C · option two", "2", False),
        ("D · option one", "3", True),
    ]
    assert texts(card)[0].splitlines()[:2] == [f"Question 3 of 8 · ⏱ <t:{STAMP}:R>", "**A** · option four"]
    assert texts(card, TR)[0].startswith(f"Soru 3/8 · ⏱ <t:{STAMP}:R>\n")


@pytest.mark.parametrize(
    ("typed", "quoted"),
    [
        ("short", "short"),
        ("one *two*", r"one \*two\*"),
        ("two\nlines", "two lines"),
        ("It recomputes activations in the backward pass", "It recomputes activations in the…"),
        ("x" * 50, "x" * 39 + "…"),
        ("calls `torch.utils.checkpoint(block, x)` in turn", "calls…"),
        ("`torch.utils.checkpoint(block, x, y, z)` in turn", "`torch.utils.checkpoint(block, x, y, z`…"),
        ("```py\nx = 1\n```", "`x = 1`"),
        ("çok " * 20, "çok çok çok çok çok çok çok çok çok çok…"),
        ("漢" * 60, "漢" * 39 + "…"),
        ("😀" * 60, "😀" * 19 + "…"),
    ],
)
def test_first_words_end_after_a_word_and_never_within_code(typed: str, quoted: str) -> None:
    assert parts.first_words(typed) == quoted


def test_code_quoted_on_a_receipt_is_not_put_in_italics() -> None:
    code = version(options=(Option({"en": "`a*b`"}, {}), Option({"en": "c"}, {})))
    card = Receipt(shown(code, (0, 1)), Outcome.SAVED, frozenset({0}))
    assert texts(card) == ["Saved: A, `a*b`. You can change it until the close."]


# Late, and what may be shown afterwards --------------------------------------------------------------------------


def test_a_late_press_is_told_so_and_led_on() -> None:
    card = LateCard(TOKEN, 3, AT, revealed=True, current_link="https://discord.com/channels/1/2/3")
    assert texts(card) == [f"Time was up (<t:{STAMP}:t>): not counted."]
    assert texts(card, TR) == [f"Süre doldu (<t:{STAMP}:t>), cevabın sayılmadı."]
    assert buttons(card)["Show the answer"]["custom_id"] == f"w1:{TOKEN}:3"
    assert buttons(card)["Go to the current question"]["url"].endswith("/1/2/3")
    assert list(buttons(card, TR)) == ["Cevabı göster", "Şu anki soruya git"]


def test_before_the_reveal_a_late_press_is_offered_no_answer() -> None:
    assert not buttons(LateCard(TOKEN, 3, AT, revealed=False))


def test_an_answer_shown_privately_names_ones_own_and_what_was_wrong_with_it() -> None:
    card = AnswerCard(SHOWN, frozenset({2}), frozenset({0}))
    assert texts(card) == [
        "### Question 3 of 8",
        "What is traded?",
        "**A** · option four\n**B** · option three · ✅ right answer\n**C** · option two\n"
        "**D** · option one · ✖ your answer",
        "**Why not D?**\nabout one\n**Explanation**\nBecause.\n-# Source: A paper",
    ]
    assert "✖ senin cevabın" in said(card, TR)
    assert "**Neden D değil?**\none üzerine" in said(card, TR)


def test_a_right_answer_gets_no_feedback_of_a_distractor() -> None:
    assert "✅ right answer · your answer" in said(AnswerCard(SHOWN, frozenset({2}), frozenset({2})))
    assert "about" not in said(AnswerCard(SHOWN, frozenset({2}), frozenset({2})))
    assert "about" not in said(AnswerCard(SHOWN, frozenset({2})))


def test_where_an_answer_does_not_fit_the_question_is_left_to_the_channel() -> None:
    long = version(stem={"en": "s" * 1500}, explanation={"en": "e" * 2000}, source={})
    options = tuple(dataclasses.replace(one, text={"en": "o" * 150}) for one in long.options)
    card = AnswerCard(shown(dataclasses.replace(long, options=options)), frozenset({2}), frozenset({0}))
    assert "s" * 1500 not in said(card)
    assert "e" * 2000 in said(card)
    quoted = "*" + "o" * 39 + "…*"
    assert f"Right answer: B, {quoted}\nYour answer: D, {quoted}" in said(card)
    assert f"Doğru cevap: B, {quoted}\nCevabın: D, {quoted}" in said(card, TR)


# Own result and mistakes -----------------------------------------------------------------------------------------


def my_result(**changes: Any) -> MyResultCard:
    def row(number: int, answer: int | None, points: int | None, *, sealed: bool = False) -> ResultRow:
        of = version()
        return ResultRow(number, of, None if answer is None else frozenset({answer}), points, sealed)

    rows = (
        row(1, 2, 1000),
        row(2, 0, 0),
        row(3, None, None),
        row(4, 1, None),
        row(5, 1, 500),
        row(6, None, None, sealed=True),
    )
    card = MyResultCard(TOKEN, result().titles, rows, 1500, 5, 2, 14)
    return dataclasses.replace(card, **changes)


def test_my_result_has_points_rank_and_a_line_for_each_question() -> None:
    assert texts(my_result()) == [
        "## Activation Recomputation\nYour points: 1.5 of 5 · your rank: 2 of 14",
        "**1** ✅ right · What is traded?\n**2** ✖ wrong · What is traded?\n"
        "**3** – no answer · What is traded?\n**4** – not scored · What is traded?\n"
        "**5** 🔸 partly right: 0.5 · What is traded?\n**6** 🔒 being asked again · What is traded?",
    ]
    assert list(buttons(my_result())) == ["Review my mistakes"]


def test_my_result_in_turkish() -> None:
    assert texts(my_result(), TR) == [
        "## Aktivasyon Quizi\nPuanın: 1,5/5 · sıran: 2/14",
        "**1** ✅ doğru · Ne takas edilir?\n**2** ✖ yanlış · Ne takas edilir?\n"
        "**3** – cevap yok · Ne takas edilir?\n**4** – puanlanmadı · Ne takas edilir?\n"
        "**5** 🔸 kısmen doğru: 0,5 · Ne takas edilir?\n**6** 🔒 yeniden soruluyor · Ne takas edilir?",
    ]


def test_who_did_not_take_part_is_told_so() -> None:
    card = my_result(rank=None, points=0)
    assert texts(card)[1] == "You did not take part in this one."
    assert texts(card, TR)[1] == "Bu quize katılmadın."
    assert not buttons(card)


def test_without_a_mistake_there_is_nothing_to_review() -> None:
    assert not buttons(my_result(rows=my_result().rows[:1]))


def mistake(face: Face = Face.QUESTION, **changes: Any) -> MistakeCard:
    card = MistakeCard(TOKEN, 1, 3, face, SHOWN, frozenset({2}), frozenset({0}))
    return dataclasses.replace(card, **changes)


def test_a_mistake_shows_the_question_with_both_answers_marked_in_words() -> None:
    assert texts(mistake()) == [
        "### Mistake 2 of 3 · Question 3 of 8",
        "What is traded?",
        "**A** · option four\n**B** · option three · ✅ right answer\n**C** · option two\n"
        "**D** · option one · ✖ your answer",
    ]
    assert {label: one["custom_id"] for label, one in buttons(mistake()).items()} == {
        "Why?": f"m1:{TOKEN}:1:1",
        "◀ Previous": f"m1:{TOKEN}:0:0",
        "Next ▶": f"m1:{TOKEN}:2:0",
    }
    assert texts(mistake(), TR)[0] == "### Yanlış 2/3 · Soru 3/8"
    assert list(buttons(mistake(), TR)) == ["Neden?", "◀ Önceki", "Sonraki ▶"]


def test_the_other_face_says_why_with_the_feedback_of_the_wrong_option_chosen() -> None:
    assert texts(mistake(Face.WHY)) == [
        "### Mistake 2 of 3 · Question 3 of 8",
        "Right answer: B, *option three*\nYour answer: D, *option one*",
        "**Why not D?**\nabout one\n**Explanation**\nBecause.\n-# Source: A paper",
    ]
    assert buttons(mistake(Face.WHY))["Back to the question"]["custom_id"] == f"m1:{TOKEN}:1:0"
    assert "Soruya dön" in buttons(mistake(Face.WHY), TR)


def test_pages_end_at_the_ends() -> None:
    assert buttons(mistake(page=0))["◀ Previous"]["disabled"]
    assert not buttons(mistake(page=0))["Next ▶"]["disabled"]
    assert buttons(mistake(page=2))["Next ▶"]["disabled"]
    assert list(buttons(mistake(page=0, pages=1))) == ["Why?"]


def test_a_question_left_unanswered_is_reviewed_too() -> None:
    card = mistake(answer=None)
    assert texts(card)[-1].endswith("\nYou gave no answer.")
    assert texts(card, TR)[-1].endswith("\nCevap vermedin.")


def test_without_anything_to_say_why_cannot_be_asked() -> None:
    bare = version(explanation={}, source={}, options=tuple(Option({"en": f"o{i}"}, {}) for i in range(4)))
    assert buttons(mistake(shown=shown(bare)))["Why?"]["disabled"]


# Quizzes ---------------------------------------------------------------------------------------------------------


def quiz_row(number: int = 7, **changes: Any) -> QuizRow:
    row = QuizRow(
        id=number,
        ref="pruning",
        title={"en": "Structured Pruning", "tr": "Yapısal Budama Quizi"},
        description={"en": "What to cut", "tr": "Ne kesilir"},
        questions=8,
        languages=("en", "tr"),
        tags=("compression", "llm"),
    )
    return dataclasses.replace(row, **changes)


def test_a_list_of_quizzes_has_a_button_for_each() -> None:
    card = QuizListCard((quiz_row(7), quiz_row(8)), page=0, pages=2)
    assert texts(card) == [
        "### Quizzes · page 1 of 2",
        *["**Structured Pruning**\nWhat to cut\n-# 8 questions · English and Turkish · #compression #llm"]
        * 2,
    ]
    pressed = [one["custom_id"] for one in walk(payload(card)) if one["type"] == 2]
    assert pressed == ["b1:7", "b1:8", "l1:-1:", "l1:1:"]
    assert texts(card, TR)[:2] == [
        "### Quizler · sayfa 1/2",
        "**Yapısal Budama Quizi**\nNe kesilir\n-# 8 soru · İngilizce ve Türkçe · #compression #llm",
    ]


def test_a_search_is_named_and_kept_while_turning_pages() -> None:
    card = QuizListCard((quiz_row(),), page=0, pages=2, search="a:b *c*")
    assert texts(card)[0] == r"### Quizzes for “a:b \*c\*” · page 1 of 2"
    following = ids.parse(buttons(card)["Next ▶"]["custom_id"])
    assert following is not None
    assert ":".join(following.parts[1:]) == "a:b *c*"


def test_an_empty_list_says_what_to_do() -> None:
    none, found = QuizListCard((), 0, 1), QuizListCard((), 0, 1, "x")
    assert texts(none)[1].startswith("There is no quiz here yet.")
    assert texts(none, TR)[1].startswith("Burada henüz quiz yok.")
    assert texts(found)[1].startswith("Nothing found.")
    assert texts(found, TR)[1].startswith("Bir şey bulunamadı.")
    assert buttons(found)["All quizzes"]["custom_id"] == "l1:0:"


def test_a_quiz_offers_to_start_to_those_who_may() -> None:
    card = QuizCard(quiz_row(), keyless=2, may_start=True)
    assert texts(card) == [
        "## Structured Pruning",
        "What to cut",
        "-# 8 questions · English and Turkish · #compression #llm\n"
        "-# 2 questions have no right answer entered: they are asked, but not scored.",
    ]
    assert buttons(card)["Start here"]["custom_id"] == "g1:7"
    assert list(buttons(card, TR)) == ["Burada başlat", "Tüm quizler"]
    assert "Start here" not in buttons(dataclasses.replace(card, may_start=False))


# Everything within the limits fits -------------------------------------------------------------------------------

PATTERNS = ("a", "ö ", "漢", "😀", "*", "_x", "`c` ", "- a\n", "one two ", "\\", "ไท", "<@1> ")


@cache
def filled(pattern: str, most_units: int, most_bytes: int = 1_000_000) -> str:
    """Return the pattern as often as it fits, as rendered, but at least once."""

    def fits(count: int) -> bool:
        drawn = escape((pattern * count).strip())
        return units(drawn) <= most_units and len(drawn.encode()) <= most_bytes

    counts = range(1, most_units // units(pattern) + 1)
    return (pattern * max(1, bisect(counts, False, key=lambda count: not fits(count)))).strip()


@st.composite
def text_of(draw: st.DrawFn, most_units: int, most_bytes: int = 1_000_000) -> str:
    full = draw(st.sampled_from((1, most_units // 3 or 1, most_units, most_units)))
    return filled(draw(st.sampled_from(PATTERNS)), full, most_bytes)


@st.composite
def versions(draw: st.DrawFn) -> Version:
    """Any version that reading a quiz lets through, drawn towards its limits."""
    kind = draw(st.sampled_from(Kind))
    several = kind is Kind.MULTIPLE
    count = (
        2
        if kind is Kind.TRUE_FALSE
        else draw(st.sampled_from((limits.MIN_OPTIONS, 4, 9, limits.MAX_OPTIONS)))
    )
    stem = draw(text_of(draw(st.sampled_from((40, 200, limits.STEM))), 4400))
    room = min(limits.OPTION, (limits.TOGETHER - units(escape(stem))) // count)
    space = (limits.TOGETHER_BYTES - len(escape(stem).encode())) // count
    options = tuple(
        Option(
            {} if kind is Kind.TRUE_FALSE else {"en": draw(text_of(room, space))},
            draw(st.sampled_from(({}, {"en": draw(text_of(limits.FEEDBACK))}))),
        )
        for _ in range(count)
    )
    places = st.integers(0, count - 1)
    key = st.frozensets(places, min_size=1, max_size=count if several else 1)
    return Version(
        kind,
        {"en": stem},
        options,
        draw(st.one_of(st.none(), key)),
        draw(st.sampled_from(({}, {"en": draw(text_of(limits.EXPLANATION))}))),
        draw(st.sampled_from(({}, {"en": draw(text_of(limits.SOURCE))}))),
    )


@st.composite
def turns(draw: st.DrawFn) -> Shown:
    of = draw(versions())
    return Shown(TOKEN, 25, 25, of, tuple(draw(st.permutations(range(len(of.options))))))


languages = st.sampled_from((EN, TR, WORDY))


@st.composite
def answers(draw: st.DrawFn, of: Version) -> frozenset[int]:
    count = len(of.options)
    most = count if of.takes_several else 1
    return frozenset(draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=most)))


@given(turns(), st.booleans(), st.sampled_from((0, 1, 12_345)), languages)
@settings(max_examples=150, deadline=None)
def test_an_open_question_always_fits_and_nothing_is_cut(
    turn: Shown, away: bool, answered: int, words: Words
) -> None:
    card = QuestionCard(turn, AT, answered, away)
    assert_discord_takes(card, words)
    whole = said(card, words)
    assert escape(turn.version.stem["en"]) in whole
    for option in turn.version.options:
        assert not option.text or escape(option.text["en"]) in whole


@given(turns(), st.data())
@settings(max_examples=60, deadline=None)
def test_an_open_question_does_not_depend_on_its_key(turn: Shown, data: st.DataObject) -> None:
    other = data.draw(st.one_of(st.none(), answers(turn.version)))
    twin = dataclasses.replace(turn, version=dataclasses.replace(turn.version, key=other))
    for make_card in (
        lambda one: QuestionCard(one, AT, 3),
        lambda one: ChoiceCard(one, AT, frozenset({0})),
        lambda one: Receipt(one, Outcome.SAVED, frozenset({0})),
    ):
        assert json.dumps(payload(make_card(turn))) == json.dumps(payload(make_card(twin)))


@given(turns(), st.booleans(), st.sampled_from((0, 2, 9_999)), st.data(), languages)
@settings(max_examples=150, deadline=None)
def test_a_reveal_always_fits_and_leaves_out_nothing_it_has_no_button_for(
    turn: Shown, reposted: bool, answered: int, data: st.DataObject, words: Words
) -> None:
    of = turn.version
    tally = tuple(data.draw(st.integers(0, answered)) for _ in of.options)
    right = data.draw(st.integers(0, answered)) if of.key else 0
    card = RevealCard(turn, of.key, tally, answered, right, reposted)
    assert_discord_takes(card, words)
    whole = said(card, words)
    assert escape(of.stem["en"]) in whole
    for option in of.options:
        assert not option.text or escape(option.text["en"]) in whole
    offered = [one for one in walk(payload(card, words)) if one["type"] == 2]
    if of.explanation and escape(of.explanation["en"]) not in whole:
        assert offered
    assert offered or not reposted


@given(turns(), st.data(), languages)
@settings(max_examples=150, deadline=None)
def test_private_cards_of_a_question_always_fit(turn: Shown, data: st.DataObject, words: Words) -> None:
    of = turn.version
    mine = data.draw(answers(of))
    for outcome in Outcome:
        assert_discord_takes(Receipt(turn, outcome, mine, mine), words)
    if of.takes_several:
        assert_discord_takes(ChoiceCard(turn, AT, data.draw(st.sampled_from((None, mine)))), words)
    given_answer = data.draw(st.sampled_from((None, mine)))
    revealed = AnswerCard(turn, of.key, given_answer)
    assert_discord_takes(revealed, words)
    assert not of.explanation or escape(of.explanation["en"]) in said(revealed, words)
    key = of.key or frozenset({0})
    for face in Face:
        card = MistakeCard(TOKEN, 12, 25, face, turn, key, given_answer)
        assert_discord_takes(card, words)
        expected = of.explanation if face is Face.WHY else of.stem
        assert not expected or escape(expected["en"]) in said(card, words)


@given(
    st.lists(text_of(limits.TITLE), min_size=1, max_size=25), st.lists(text_of(32), max_size=20), languages
)
@settings(max_examples=60, deadline=None)
def test_a_result_always_fits(titles: list[str], names: list[str], words: Words) -> None:
    card = result(
        titles=tuple({"en": one} for one in titles),
        podium=tuple(Standing(place, name, 12_345) for place, name in enumerate(names, 1)),
        stopped=True,
        unscored=3,
    )
    assert_discord_takes(card, words)


@given(
    st.lists(text_of(limits.TITLE), min_size=1, max_size=25),
    st.lists(versions(), min_size=1, max_size=3),
    languages,
)
@settings(max_examples=60, deadline=None)
def test_a_members_own_result_always_fits(titles: list[str], of: list[Version], words: Words) -> None:
    rows = tuple(
        ResultRow(number, one, frozenset({0}), 333) for number, one in enumerate((of * 25)[:25], start=1)
    )
    card = my_result(titles=tuple({"en": one} for one in titles), rows=rows)
    assert_discord_takes(card, words)
    assert len(texts(card, words)[1].splitlines()) == 25


@given(
    text_of(limits.TITLE),
    text_of(limits.DESCRIPTION),
    st.lists(text_of(limits.TAG), max_size=limits.MAX_TAGS),
    st.integers(1, 10),
    text_of(80),
    languages,
)
@settings(max_examples=60, deadline=None)
def test_quizzes_always_fit(
    title: str, description: str, tags: list[str], count: int, search: str, words: Words
) -> None:
    row = quiz_row(title={"en": title}, description={"en": description}, tags=tuple(tags))
    rows = tuple(dataclasses.replace(row, id=2**53 + place) for place in range(count))
    assert_discord_takes(QuizListCard(rows, 1, 3, search), words)
    assert_discord_takes(QuizCard(row, 3, may_start=True), words)
    assert parts.title(row.title, words) in said(QuizListCard(rows, 1, 3, search), words)


async def test_a_view_is_stopped_before_it_is_sent() -> None:
    for card in (QuestionCard(SHOWN, AT), reveal(), Receipt(SHOWN, Outcome.SAVED, frozenset({0}))):
        assert render(card, EN).is_finished()
