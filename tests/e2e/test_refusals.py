"""What cannot be done is said kindly, by name, and with the way on; no press ever ends in "interaction failed"."""

from typing import Any

import pytest

from sandbox.permissions import Permission
from tests.support.reading import Json, answer, labels, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e

OUT_OF_DATE = "This button belongs to a message that is out of date. See /help for what you can do."
MAY_NOT = "Only quizmasters may start a quiz here: members with the right to manage events."


async def as_bot(table: Table, method: str, path: str, body: Any) -> Json:
    """Make a request with the bot's own token, as an older version of it would have."""
    headers = {"Authorization": f"Bot {table.sandbox.hub.settings.token}"}
    async with table.http.request(
        method, f"{table.sandbox.api_base}{path}", json=body, headers=headers
    ) as made:
        found = await made.json()
        assert made.status == 200, found
        return found


async def leave_buttons(table: Table, *custom_ids: str) -> Json:
    """Leave a message with buttons in the channel, labelled with their ids."""
    row = {
        "type": 1,
        "components": [{"type": 2, "style": 2, "label": one, "custom_id": one} for one in custom_ids],
    }
    body: Json = {"flags": 1 << 15, "components": [row], "allowed_mentions": {"parse": []}}
    made = await as_bot(table, "POST", f"/channels/{table.channel}/messages", body)
    return next(one for one in await table.people["Ada"].sees() if one["id"] == made["id"])


async def deny(table: Table, permission: Permission, channel: str | None = None) -> None:
    where = channel or table.channel
    await table.change_world(
        "set_overwrite", channel=where, target=table.roles["Etüt"], deny=str(int(permission))
    )


async def test_a_second_start_in_a_channel_leads_to_the_running_quiz(table: Table) -> None:
    maya, deniz = table.people["Maya"], table.people["Deniz"]
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    link = f"https://discord.com/channels/{table.guild}/{table.channel}/{question['id']}"
    assert reply(await maya.slash("quiz start", quiz="kinds")) == (
        f"A quiz is already running in this channel. [Go there]({link})"
    )
    assert reply(await deniz.slash("quiz start", quiz="light")) == (
        f"Bu kanalda bir quiz sürüyor. [Oraya git]({link})"
    )
    assert len(await table.messages()) == 1
    # Not even between two questions, and again once it is over.
    await table.message("✅ right answer")
    assert reply(await maya.slash("quiz start", quiz="kinds")).startswith("A quiz is already running")
    await table.message("🏁")
    assert reply(await maya.slash("quiz start", quiz="kinds")).startswith("Started: All Kinds, 3 questions.")


async def test_who_may_not_start_a_quiz_is_told_who_may(table: Table) -> None:
    ada, kerem = table.people["Ada"], table.people["Kerem"]
    assert reply(await ada.slash("quiz start", quiz="light")) == MAY_NOT
    assert reply(await kerem.slash("quiz start", quiz="light")) == (
        "Burada quizi yalnızca quiz yetkilileri başlatabilir: “Etkinlikleri Yönet” izni olan üyeler."
    )
    assert await table.messages() == []


@pytest.mark.parametrize(
    ("permission", "name"),
    [
        (Permission.SEND_MESSAGES, "Send Messages"),
        (Permission.READ_MESSAGE_HISTORY, "Read Message History"),
        (Permission.VIEW_CHANNEL, "View Channel"),
    ],
)
async def test_a_missing_permission_is_named(table: Table, permission: Permission, name: str) -> None:
    await deny(table, permission)
    refused = reply(await table.people["Maya"].slash("quiz start", quiz="light"))
    assert refused.startswith(
        f"I may not hold a quiz in <#{table.channel}>. Give me these permissions there, then start again:\n"
    )
    assert f"- {name}" in refused.splitlines()
    assert await table.messages() == []


async def test_several_missing_permissions_are_named_together_and_in_turkish(table: Table) -> None:
    await deny(table, Permission.SEND_MESSAGES | Permission.READ_MESSAGE_HISTORY)
    refused = reply(await table.people["Deniz"].slash("quiz start", quiz="light"))
    assert refused.splitlines()[1:] == ["- Mesaj Gönder", "- Mesaj Geçmişini Oku"]
    # Nothing is left behind that would keep the channel occupied.
    await deny(table, Permission(0))
    assert reply(await table.people["Maya"].slash("quiz start", quiz="light")).startswith("Started: ")


async def test_a_thread_needs_its_own_permission_and_then_takes_a_quiz(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    parent = table.channels["general"]
    thread = await table.change_world("create_thread", channel=parent, name="Study group")
    await deny(table, Permission.SEND_MESSAGES_IN_THREADS, parent)
    refused = reply(await maya.slash("quiz start", channel=thread, quiz="light"))
    assert refused.splitlines()[1:] == ["- Send Messages in Threads"]
    # In the channel itself that right is not needed; in the thread Send Messages is not.
    await deny(table, Permission.SEND_MESSAGES, parent)
    started = await maya.slash("quiz start", channel=thread, quiz="light")
    assert reply(started).startswith("Started: Light and Shadow Quiz, 2 questions.")
    question = await table.message("What is faster?", channel=thread)
    assert reply(await ada.press(question, "B")).startswith("Saved: B")
    assert "1 took part · average 1 of 2" in words(await table.message("🏁", channel=thread))


async def test_a_forum_itself_takes_no_quiz_and_its_posts_do(table: Table) -> None:
    maya = table.people["Maya"]
    forum = table.channels["questions"]
    post = await table.change_world("create_thread", channel=forum, name="Pruning")
    assert reply(await maya.slash("quiz start", channel=post, quiz="light")).startswith("Started: ")
    voice = table.channels["Study room"]
    assert reply(await maya.slash("quiz start", channel=voice, quiz="kinds")).startswith("Started: ")


async def test_an_unknown_quiz_is_named_and_nothing_in_it_is_markdown(table: Table) -> None:
    maya, deniz = table.people["Maya"], table.people["Deniz"]
    refused = answer(await maya.slash("quiz start", quiz="**@everyone** no such"))
    assert words(refused) == (
        r"I know no quiz named “\*\*@everyone\*\* no such”. Choose one from the list while you type, or see /quiz list."
    )
    assert reply(await deniz.slash("quiz start", quiz="böyle bir quiz yok")) == (
        "Bu adda bir quiz bulamadım: “böyle bir quiz yok”. Yazarken çıkan listeden seç ya da /quiz liste komutuna bak."
    )
    # Words that fit several quizzes choose none of them.
    assert reply(await maya.slash("quiz start", quiz="quiz")).startswith("I know no quiz named “quiz”.")


async def test_the_number_of_questions_is_bounded_where_it_is_typed(table: Table) -> None:
    maya = table.people["Maya"]
    number = (await maya.menu())["quiz start"]["options"][1]
    assert (number["name"], number["min_value"], number["max_value"]) == ("questions", 1, 25)
    for wrong in (0, 26, -1):
        options = {"quiz": "light", "questions": wrong}
        body = {"member": maya.id, "channel": table.channel, "command": "quiz start", "options": options}
        async with table.http.post(f"{table.sandbox.url}control/slash", json=body) as refused:
            assert refused.status == 400
    assert reply(await maya.slash("quiz start", quiz="light", questions=25)).startswith(
        "Started: Light and Shadow Quiz, 2 questions."
    )


async def test_stopping_is_for_the_host_and_for_quizmasters(table: Table) -> None:
    maya, ada, deniz, kerem = (table.people[one] for one in ("Maya", "Ada", "Deniz", "Kerem"))
    assert reply(await ada.slash("quiz stop")) == "No quiz is running in this channel."
    assert reply(await kerem.slash("quiz stop")) == "Bu kanalda süren bir quiz yok."
    await maya.slash("quiz start", quiz="light")
    assert (
        reply(await ada.slash("quiz stop")) == "Only whoever started this quiz, or a quizmaster, can stop it."
    )
    assert reply(await kerem.slash("quiz stop")) == (
        "Bu quizi yalnızca başlatan kişi ya da bir quiz yetkilisi bitirebilir."
    )
    # Elsewhere nothing runs, and who is no quizmaster any more is still the host.
    assert reply(await maya.slash("quiz stop", channel=table.channels["general"])) == (
        "No quiz is running in this channel."
    )
    await table.change_world("set_roles", member=maya.id, roles=[])
    assert reply(await maya.slash("quiz stop")).startswith("Stopped: Light and Shadow Quiz.")
    assert reply(await deniz.slash("quiz stop")) == "Bu kanalda süren bir quiz yok."


async def test_buttons_nobody_knows_any_more_are_answered(table: Table) -> None:
    ada, kerem = table.people["Ada"], table.people["Kerem"]
    unknown = [
        "a1:aaaaaaaaaa:1:0",  # a round of a backup that was not restored
        "a1:aaaaaaaaaa:x:y",
        "a1:aaaaaaaaaa",
        "y1:aaaaaaaaaa",
        "m1:aaaaaaaaaa:0:0",
        "w1:aaaaaaaaaa:99999999999999999999:0",
        "o1:aaaaaaaaaa:1",
        "b1:999",
        "g1:1",
        "l1:x",
        "q1:of-another-format",
        "a2:aaaaaaaaaa:1:0",
        "surprise",
        "é:ı:İ",
    ]
    for five in (unknown[:5], unknown[5:10], unknown[10:]):
        message = await leave_buttons(table, *five)
        for label in labels(message):
            told = words(answer(await ada.press(message, label)))
            assert told in (
                OUT_OF_DATE,
                "This quiz is no longer here. /quiz list shows what there is.",
                MAY_NOT,
            ), label
    message = await leave_buttons(table, "surprise")
    assert reply(await kerem.press(message, "surprise")) == (
        "Bu düğme güncelliğini yitirmiş bir mesaja ait. Neler yapabileceğini görmek için /yardım yaz."
    )


async def test_a_press_on_a_message_that_is_not_its_turns_is_refused(table: Table) -> None:
    """Who copies an id onto another message, or has an old one of a round that is over, changes nothing."""
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    custom_id = next(
        part["custom_id"]
        for section in question["components"][0]["components"]
        if (part := section.get("accessory"))
    )
    forged = await leave_buttons(table, custom_id)
    assert reply(await ada.press(forged, custom_id)) == OUT_OF_DATE
    await table.message("🏁")
    assert reply(await ada.press(forged, custom_id)) == OUT_OF_DATE
    assert "Nobody took part this time." in words(await table.message("🏁"))


async def test_results_of_a_running_round_wait_for_its_end(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    await ada.press(question, "B")
    token = question["components"][0]["components"][2]["accessory"]["custom_id"].split(":")[1]
    early = await leave_buttons(table, f"y1:{token}", f"m1:{token}:0:0", f"w1:{token}:1", f"w1:{token}:2")
    told = [reply(await ada.press(early, label)) for label in labels(early)]
    assert told[:2] == ["This quiz is still running. Its result comes at the end."] * 2
    assert told[2:] == [OUT_OF_DATE] * 2
