"""Whole rounds as members live them, through the unmodified client, in English and in literal Turkish."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.people import Person
from tests.support.reading import Json, answer, button, deadline, labels, letter, links, menu, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


async def edits(table: Table, message: Json) -> list[tuple[datetime, str]]:
    """Return when the bot edited a message, and to which texts."""
    return [
        (datetime.fromisoformat(one["at"]), words(one["body"]))
        for one in await table.sent("PATCH", f"/messages/{message['id']}")
    ]


async def private_texts(person: Person) -> list[str]:
    return [words(one) for one in await person.sees() if one["ephemeral"]]


async def test_a_round_in_english(table: Table) -> None:
    maya, ada, tom, kerem, elif_ = (table.people[one] for one in ("Maya", "Ada", "Tom", "Kerem", "Elif"))

    started = await maya.slash("quiz start", quiz="activation-recomputation", questions=2)
    (question,) = await table.messages()
    here = f"https://discord.com/channels/{table.guild}/{table.channel}/{question['id']}"
    assert reply(started) == (
        f"Started: Activation Recomputation Quiz, 2 questions.\n[To the first question]({here})"
    )
    assert answer(started)
    ends = deadline(question)
    assert words(question).startswith(
        f"### Question 1 of 2 · ⏱ <t:{ends}:R>\nWhat does activation recomputation trade for lower memory use?\n"
    )
    assert words(question).endswith("\n-# No answers yet")
    assert labels(question) == ["A", "B", "C", "D"]
    assert at(ends) - table.now == timedelta(seconds=30)

    right = letter(question, "Extra computation (FLOPs)")
    wrong = letter(question, "Network bandwidth")
    assert reply(await ada.press(question, wrong)) == (
        f"Saved: {wrong}, *Network bandwidth*. You can change it until the close."
    )
    assert reply(await ada.press(question, wrong)) == f"Still {wrong} ✔"
    assert reply(await ada.press(question, right)) == f"Changed: {wrong} → {right}"
    assert reply(await kerem.press(question, wrong)) == (
        f"Cevabın kaydedildi: {wrong}, *Ağ bant genişliği*. Süre dolana kadar değiştirebilirsin."
    )
    await table.advance_to(at(ends))
    assert reply(await tom.press(question, right)) == (
        f"Saved: {right}, *Extra computation (FLOPs)*. You can change it until the close."
    )
    assert await private_texts(elif_) == []

    # Too late, and the channel does not show the answer yet: nothing is offered that could tell it.
    await table.advance(0.5)
    late = await elif_.press(question, right)
    assert reply(late) == f"Süre doldu (<t:{ends}:t>), cevabın sayılmadı."
    assert labels(answer(late)) == []

    await table.advance(1)
    revealed = await table.again(question)
    assert words(revealed).startswith("### Question 1 of 2\nWhat does activation recomputation trade")
    assert f"**{right}** · Extra computation (FLOPs) · ✅ right answer · 67% (2)" in words(revealed)
    assert f"**{wrong}** · Network bandwidth · 33% (1)" in words(revealed)
    assert "Right: 2 of 3" in words(revealed)
    assert "**Explanation**\nInstead of storing every activation" in words(revealed)
    assert "-# Source: Chen et al.: Training Deep Nets with Sublinear Memory Cost." in words(revealed)

    second = await table.message("Question 2 of 2 · ⏱")
    only = letter(second, "Because backpropagation needs them")
    await ada.press(second, only)
    result = await table.message("🏁")
    assert words(result) == (
        "## 🏁 Activation Recomputation Quiz\n3 took part · average 1 of 2\n"
        "**Podium**\n🥇 Ada · 2 of 2\n🥈 Tom · 1 of 2"
    )
    assert [one["id"] for one in await table.messages()] == [question["id"], second["id"], result["id"]]

    mine = answer(await ada.press(result, "My result"))
    assert words(mine).startswith(
        "## Activation Recomputation Quiz\nYour points: 2 of 2 · your rank: 1 of 3\n"
        "**1** ✅ right · What does activation"
    )
    assert labels(mine) == []
    assert reply(await ada.press(result, "Review my mistakes")) == (
        "You had everything right. There is nothing to review."
    )
    assert reply(await elif_.press(result, "Review my mistakes")) == (
        "Bu quize katılmadığın için gözden geçirecek bir şey yok."
    )
    assert "Yanlış" not in await ada.says()
    assert "Your points" not in await tom.says()


async def test_mistakes_are_reviewed_a_page_each_and_told_why(table: Table) -> None:
    maya, tom, ada = (table.people[one] for one in ("Maya", "Tom", "Ada"))
    await maya.slash("quiz start", quiz="light")
    await tom.press(await table.message("What is faster?"), "A")
    await table.message("What is darker?")
    result = await table.message("🏁")

    first = answer(await tom.press(result, "Review my mistakes"))
    assert words(first) == (
        "### Mistake 1 of 2 · Question 1 of 2\nWhat is faster?\n"
        "**A** · sound · ✖ your answer\n**B** · light · ✅ right answer"
    )
    assert labels(first) == ["Why?", "◀ Previous", "Next ▶"]
    why = answer(await tom.press(first, "Why?"))
    assert why["id"] == first["id"]
    assert words(why) == (
        "### Mistake 1 of 2 · Question 1 of 2\nRight answer: B, *light*\nYour answer: A, *sound*\n"
        "**Why not A?**\nIt needs air.\n**Explanation**\nNothing is faster.\n-# Source: Maxwell"
    )
    back = answer(await tom.press(why, "Back to the question"))
    second = answer(await tom.press(back, "Next ▶"))
    assert words(second).startswith("### Mistake 2 of 2 · Question 2 of 2\nWhat is darker?")
    assert words(second).endswith("You gave no answer.")
    assert "Mistake" not in await ada.says()


async def test_a_round_in_a_turkish_server(turkish_table: Table) -> None:
    table = turkish_table
    table.channel = table.channels["çalışma-odası"]
    deniz, kerem, elif_, ada = (table.people[one] for one in ("Deniz", "Kerem", "Elif", "Ada"))
    commands = await deniz.menu()
    assert set(commands) == {"quiz başlat", "quiz bitir", "quiz liste", "yardım"}
    assert [one["name_localized"] for one in commands["quiz başlat"]["options"]] == ["quiz", "adet"]
    assert [one["name_localized"] for one in commands["quiz liste"]["options"]] == ["ara"]

    started = await deniz.slash("quiz start", quiz="structured-pruning", questions=1)
    (question,) = await table.messages()
    assert reply(started).startswith(
        "Başladı: Yapılandırılmış Budama ve Katman Atma Quizi, 1 soru.\n[İlk soruya git](https://"
    )
    assert words(question).startswith(f"### Soru 1/1 · ⏱ <t:{deadline(question)}:R>\n")
    assert words(question).endswith("\n-# Henüz cevap yok")
    assert (await table.sent("POST", f"/channels/{table.channel}/messages"))[0]["status"] == 200

    a, b = labels(question)[:2]
    texts = dict(re.findall(r"^\*\*([A-J])\*\* · (.+)$", words(question), re.MULTILINE))
    assert reply(await kerem.press(question, a)).startswith(f"Cevabın kaydedildi: {a}, *")
    assert reply(await kerem.press(question, a)) == f"Cevabın hâlâ {a} ✔"
    assert reply(await kerem.press(question, b)) == f"Cevabın değişti: {a} → {b}"
    english = reply(await ada.press(question, a))
    assert english.startswith(f"Saved: {a}, *")
    assert texts[a][:10] not in english  # Ada reads the option in her own language
    await table.advance(6)
    assert "\n-# 2 kişi cevapladı" in words(await table.again(question))

    revealed = await table.message(" · ✅ doğru cevap")
    assert revealed["id"] == question["id"]
    assert "**Açıklama**\n" in words(revealed)
    assert "-# Kaynak: " in words(revealed)
    assert "%" not in words(revealed).split("Açıklama")[0]  # two answers show no shares
    result = await table.message("🏁")
    assert "🏁 Yapılandırılmış Budama ve Katman Atma Quizi\n2 kişi katıldı · ortalama " in words(result)
    assert labels(result) == ["Sonucum", "Yanlışlarıma bak"]
    assert "Your points: " in reply(await ada.press(result, "Sonucum"))
    assert re.search(r"Puanın: [01]/1 · sıran: [12]/2", reply(await kerem.press(result, "Sonucum")))
    assert reply(await elif_.press(result, "Sonucum")) == (
        "## Yapılandırılmış Budama ve Katman Atma Quizi\nBu quize katılmadın."
    )


async def test_shares_and_averages_in_turkish(turkish_table: Table) -> None:
    table = turkish_table
    deniz, kerem, elif_ = (table.people[one] for one in ("Deniz", "Kerem", "Elif"))
    await deniz.slash("quiz start", quiz="light")
    question = await table.message("Hangisi daha hızlıdır?")
    await deniz.press(question, "B")
    await kerem.press(question, "B")
    await elif_.press(question, "A")
    revealed = await table.message("✅ doğru cevap")
    assert words(revealed) == (
        "### Soru 1/2\nHangisi daha hızlıdır?\n**A** · ses · %33 (1)\n**B** · ışık · ✅ doğru cevap · %67 (2)\n"
        "Doğru cevaplayan: 2/3\n**Açıklama**\nOndan hızlısı yoktur.\n-# Kaynak: Maxwell"
    )
    result = await table.message("🏁")
    assert words(result) == (
        "## 🏁 Işık ve Gölge Quizi\n3 kişi katıldı · ortalama 0,67/2\n"
        "**Dereceye girenler**\n🥇 Deniz · 1/2\n🥇 Kerem · 1/2"
    )
    wrong = answer(await elif_.press(result, "Yanlışlarıma bak"))
    assert words(wrong).startswith(
        "### Yanlış 1/2 · Soru 1/2\nHangisi daha hızlıdır?\n**A** · ses · ✖ senin cevabın"
    )
    why = reply(await elif_.press(wrong, "Neden?"))
    assert "Doğru cevap: B, *ışık*\nCevabın: A, *ses*\n**Neden A değil?**\nSes havaya muhtaçtır." in why


async def test_several_right_answers_true_or_false_and_a_missing_key(table: Table) -> None:
    maya, ada, kerem = (table.people[one] for one in ("Maya", "Ada", "Kerem"))
    await maya.slash("quiz start", quiz="kinds")
    several = await table.message("Which are prime?")
    assert (
        "**A** · two\n**B** · four\n**C** · five\n**D** · six\n-# More than one answer may be right."
        in words(several)
    )
    assert labels(several) == ["Choose answers"]

    marking = answer(await ada.press(several, "Choose answers"))
    saved = answer(await ada.select(marking, "A", "C"))
    assert saved["id"] == marking["id"]
    assert words(saved).startswith("Saved: A, C\n")
    changed = answer(await ada.select(saved, "D", "A"))
    assert words(changed).startswith("Changed: A, C → A, D\n")
    assert words(answer(await ada.select(changed, "A", "D"))).startswith("Still A, D ✔\n")
    marking = answer(await kerem.press(several, "Choose answers"))
    assert words(answer(await kerem.select(marking, "A", "C"))).startswith("Cevabın kaydedildi: A, C\n")
    # Opened again it shows what is marked, to its member alone.
    again = answer(await ada.press(several, "Choose answers"))
    assert [one["label"][0] for one in menu(again)["options"] if one.get("default")] == ["A", "D"]

    statement = await table.message("Nine is prime.")
    assert "**A** · True\n**B** · False" in words(statement)
    await ada.press(statement, "A")
    assert reply(await kerem.press(statement, "B")).startswith("Cevabın kaydedildi: B, *Yanlış*.")
    unknown = await table.message("Which number is the nicest?")
    await ada.press(unknown, "A")
    revealed = await table.message("No right answer has been entered: not scored")
    assert revealed["id"] == unknown["id"]
    assert "✅" not in words(revealed)

    result = await table.message("🏁")
    assert words(result) == (
        "## 🏁 All Kinds\n2 took part · average 1 of 2\n**Podium**\n🥇 Kerem · 2 of 2\n-# 1 question was not scored."
    )
    mine = words(answer(await ada.press(result, "My result")))
    assert "Your points: 0 of 2 · your rank: 2 of 2" in mine
    assert "**3** – not scored" in mine
    first = answer(await ada.press(result, "Review my mistakes"))
    assert "### Mistake 1 of 2 · Question 1 of 3" in words(first)
    assert "**Why not D?**\nIt is two times three." in reply(await ada.press(first, "Why?"))
    second = answer(await ada.press(first, "Next ▶"))
    assert "**Why not A?**\nThree times three is nine." in reply(await ada.press(second, "Why?"))


async def test_a_select_kept_open_past_the_close_is_answered_too_late(table: Table) -> None:
    maya, ada, tom = (table.people[one] for one in ("Maya", "Ada", "Tom"))
    await maya.slash("quiz start", quiz="kinds")
    several = await table.message("Which are prime?")
    marking = answer(await ada.press(several, "Choose answers"))
    kept = answer(await ada.press(several, "Choose answers"))
    ends = deadline(several)
    await table.advance_to(at(ends) + timedelta(seconds=1))
    late = answer(await ada.select(marking, "A"))
    assert words(late) == f"Time was up (<t:{ends}:t>): not counted."
    assert labels(late) == []

    assert words(answer(await tom.press(several, "Choose answers"))) == words(late)
    current = await table.message("Nine is prime.")
    late = answer(await ada.select(kept, "A"))
    assert labels(late) == ["Show the answer", "Go to the current question"]
    assert links(late)["Go to the current question"].endswith(f"/{current['id']}")
    shown = answer(await ada.press(late, "Show the answer"))
    assert "**A** · two · ✅ right answer" in words(shown)
    assert "your answer" not in words(shown)
    result = await table.message("🏁")
    assert "Nobody took part this time." in words(result)
    assert "You did not take part" in reply(await tom.press(result, "My result"))


async def test_every_one_of_many_presses_at_once_is_answered_and_the_last_holds(table: Table) -> None:
    maya, ada, tom, kerem = (table.people[one] for one in ("Maya", "Ada", "Tom", "Kerem"))
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    pressed = [
        await person.press_blindly(question, label)
        for person in (ada, tom, kerem)
        for label in ("A", "B", "A", "B")
    ]
    for one in pressed:
        await table.until(lambda one=one: _done(table, one))
    assert reply(await ada.press(question, "B")) == "Still B ✔"
    assert reply(await tom.press(question, "B")) == "Still B ✔"
    await table.message("Right: 3 of 3")


async def _done(table: Table, number: str) -> bool:
    return (await table.interaction(number))["state"] == "done"


async def test_autocomplete_finds_titles_in_every_language_and_writing(table: Table) -> None:
    maya, deniz = table.people["Maya"], table.people["Deniz"]
    for typed in ("pruning", "budama", "BUDAMA", "prun", "katman", "Yapilandirilmis"):
        assert await maya.autocomplete("quiz start", "quiz", typed) == [
            {"name": "Structured Pruning and Layer Dropping Quiz", "value": "structured-pruning"}
        ], typed
    for typed in ("ışık", "ISIK", "Işık", "isik", "IŞIK", "optics", "shadow"):
        assert await deniz.autocomplete("quiz start", "quiz", typed) == [
            {"name": "Işık ve Gölge Quizi", "value": "light"}
        ], typed
    assert len(await maya.autocomplete("quiz start", "quiz", "")) == 4
    assert await maya.autocomplete("quiz start", "quiz", "nothing like it") == []
    # A title typed by hand, without choosing from the list, is understood too.
    assert reply(await deniz.slash("quiz start", quiz="IŞIK ve gölge quizi")).startswith(
        "Başladı: Işık ve Gölge Quizi, 2 soru."
    )


async def test_the_counter_is_edited_at_most_every_five_seconds(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="activation-recomputation", questions=1)
    (question,) = await table.messages()
    opened = table.now
    for name in ("Ada", "Tom", "Kerem", "Elif", "Deniz"):
        await table.people[name].press(question, "A")
        await table.advance(2)
    await table.message("✅ right answer")
    drawn = await edits(table, question)
    counters = [when for when, text in drawn if "answered" in text]
    assert "-# 5 have answered" in drawn[-2][1]
    assert "✅ right answer" in drawn[-1][1]
    assert len(counters) == len(drawn) - 1
    pauses = [later - earlier for earlier, later in zip([opened, *counters], counters, strict=False)]
    assert min(pauses) >= timedelta(seconds=5)
    for name in ("Ada", "Tom", "Kerem", "Elif", "Deniz"):
        assert not any(name in text for _, text in drawn)


async def test_an_untouched_question_is_drawn_once_at_half_time(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="activation-recomputation", questions=1)
    (question,) = await table.messages()
    opened, ends = table.now, at(deadline(question))
    await table.message("✅ right answer")
    (half, text), (closed, _) = await edits(table, question)
    assert half - opened == (ends - opened) / 2
    assert "-# No answers yet" in text
    assert closed == ends + timedelta(seconds=1.5)


async def test_what_a_client_can_read_does_not_tell_the_answer(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    assert [button(question, one).rpartition(":")[2] for one in ("A", "B")] == ["0", "1"]
    (sent,) = await table.sent("POST", f"/channels/{table.channel}/messages")
    for told in ("right", "Maxwell", "Nothing is faster", "It needs air"):
        assert told not in str(sent["body"])
