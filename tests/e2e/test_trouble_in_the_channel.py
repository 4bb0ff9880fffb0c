"""What members and moderators do to the channel meanwhile: messages, rights, threads and the channel itself go."""

from datetime import UTC, datetime, timedelta

import pytest

from sandbox.permissions import Permission
from tests.support.reading import Json, answer, deadline, labels, reply, words
from tests.support.table import Table

pytestmark = pytest.mark.e2e

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, NO_ACCESS, NO_PERMISSION, THREAD_ARCHIVED = (
    10003,
    10008,
    50001,
    50013,
    50083,
)
DELETED = "-# The message of this question was deleted. All answers were kept."


def ends_at(question: Json) -> datetime:
    return datetime.fromtimestamp(deadline(question), UTC)


async def deny(table: Table, permission: Permission) -> None:
    """Take rights from the bot in the channel; none gives them all back."""
    facts = {"channel": table.channel, "target": table.roles["Etüt"], "deny": str(int(permission))}
    await table.change_world("set_overwrite", **facts)
    await table.settle()


@pytest.mark.parametrize("after_s", [1, 15])
async def test_a_deleted_question_keeps_its_answers_and_is_revealed_anew(table: Table, after_s: int) -> None:
    """Deleted before half the time it is noticed by the counter, afterwards only by the reveal."""
    table.forgiven.add(UNKNOWN_MESSAGE)
    maya, ada, tom = (table.people[one] for one in ("Maya", "Ada", "Tom"))
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await ada.press(question, "B")
    await tom.press(question, "A")
    await table.advance(after_s)
    await table.change_world("delete_message", message=question["id"])
    revealed = await table.message("✅ right answer")
    assert revealed["id"] != question["id"]
    assert "Right: 1 of 2" in words(revealed)
    assert DELETED in words(revealed)
    assert labels(revealed) == ["My answer"]
    assert "**B** · light · ✅ right answer · your answer" in reply(await ada.press(revealed, "My answer"))
    assert "**A** · ses · ✖" not in words(revealed)
    result = await table.message("🏁")
    assert "2 took part · average 0.5 of 1" in words(result)
    assert len(await table.messages()) == 2


async def test_a_reveal_posted_anew_is_posted_once_though_the_bot_is_killed(bare_table: Table) -> None:
    table = bare_table
    table.forgiven.add(UNKNOWN_MESSAGE)
    await table.start_bot(kill="sent-other:1", revive=True)
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    await ada.press(question, "B")
    await table.change_world("delete_message", message=question["id"])
    await table.message("🏁")
    await table.advance(60)
    assert table.deaths == 1
    assert [words(one).splitlines()[0] for one in await table.messages()] == [
        "### Question 1 of 1",
        "## 🏁 Light and Shadow Quiz",
    ]


async def test_a_deleted_result_is_not_posted_again(table: Table) -> None:
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    result = await table.message("🏁")
    await table.change_world("delete_message", message=result["id"])
    await table.advance(300)
    assert await table.messages("🏁") == []
    assert reply(await table.people["Maya"].slash("quiz start", quiz="light")).startswith("Started: ")


@pytest.mark.parametrize("where", ["open", "standing"])
async def test_with_its_channel_the_round_ends_quietly(table: Table, where: str) -> None:
    table.forgiven.add(UNKNOWN_CHANNEL)
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    await ada.press(question, "B")
    if where == "standing":
        await table.message("✅ right answer")
    await table.change_world("delete_channel", channel=table.channel)
    await table.advance(120)
    # Nothing is sealed any more, and the bot tries no further.
    table.channel = table.channels["general"]
    assert reply(await maya.slash("quiz start", quiz="light")).startswith(
        "Started: Light and Shadow Quiz, 2 questions.\n[To the first"
    )
    question = await table.message("What is faster?")
    assert reply(await ada.press(question, "B")).startswith("Saved: B")
    assert "1 took part" in words(await table.message("🏁"))
    before = len(await table.log())
    await table.advance(200)
    assert len([one for one in (await table.log())[before:] if one["dir"] == "rest"]) == 0


async def test_with_its_thread_the_round_ends_quietly(table: Table) -> None:
    table.forgiven.add(UNKNOWN_CHANNEL)
    maya = table.people["Maya"]
    thread = await table.change_world("create_thread", channel=table.channel, name="Study group")
    await maya.slash("quiz start", channel=thread, quiz="light")
    await table.message("What is faster?", channel=thread)
    await table.change_world("delete_channel", channel=thread)
    await table.advance(120)
    assert reply(await maya.slash("quiz start", quiz="light")).startswith(
        "Started: Light and Shadow Quiz, 2 questions."
    )


@pytest.mark.parametrize("taken", [Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL])
async def test_without_its_rights_the_round_pauses_and_goes_on_with_them(
    table: Table, taken: Permission
) -> None:
    table.forgiven |= {NO_ACCESS, NO_PERMISSION}
    maya, ada, tom = (table.people[one] for one in ("Maya", "Ada", "Tom"))
    await maya.slash("quiz start", quiz="light")
    question = await table.message("What is faster?")
    await ada.press(question, "B")
    await deny(table, taken)
    # Presses reach the bot all the same, and count.
    assert reply(await tom.press(question, "B")).startswith("Saved: B")
    await table.advance(100)
    assert await table.messages("What is darker?") == []
    await deny(table, Permission(0))
    second = await table.message("What is darker?", limit_s=120)
    assert ends_at(second) - table.now >= timedelta(seconds=20)
    assert "Right: 2 of 2" in words(await table.again(question))
    await ada.press(second, "B")
    assert "2 took part · average 1.5 of 2" in words(await table.message("🏁"))
    assert len(await table.messages()) == 3


async def test_a_round_paused_for_a_day_ends(table: Table) -> None:
    table.forgiven |= {NO_ACCESS, NO_PERMISSION}
    maya = table.people["Maya"]
    await maya.slash("quiz start", quiz="light")
    await table.message("What is faster?")
    await deny(table, Permission.SEND_MESSAGES)
    await table.advance(120)
    await table.kill_bot()  # a day passes faster without it
    await table.advance(25 * 3600)
    await table.start_bot()
    await deny(table, Permission(0))
    assert reply(await maya.slash("quiz start", quiz="light")).startswith(
        "Started: Light and Shadow Quiz, 2 questions."
    )


async def test_without_the_history_nothing_is_posted_twice(bare_table: Table) -> None:
    """An old claim cannot be looked for: the round waits for the right rather than post again."""
    table = bare_table
    table.forgiven |= {NO_ACCESS, NO_PERMISSION}
    await table.start_bot(kill="sent-question:1")
    await table.people["Maya"].slash("quiz start", quiz="light", questions=1)
    await table.bot_dies()
    await deny(table, Permission.READ_MESSAGE_HISTORY)
    await table.advance(600)
    await table.start_bot()
    await table.advance(120)
    await deny(table, Permission(0))
    (question,) = await table.messages()
    await table.message("🏁")
    assert [one["id"] for one in await table.messages("Question 1 of 1")] == [question["id"]]


async def test_members_who_write_between_the_questions_disturb_nothing(table: Table) -> None:
    maya, ada = table.people["Maya"], table.people["Ada"]
    await maya.slash("quiz start", quiz="light", questions=1)
    question = await table.message("What is faster?")
    for text in ("B!", "I think B", "@everyone quiz stop"):
        await table.post("send", {"member": ada.id, "channel": table.channel, "content": text})
    assert reply(await ada.press(question, "B")).startswith("Saved: B")
    assert answer(await ada.press(await table.message("🏁"), "My result"))
