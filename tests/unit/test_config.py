"""The settings: what is understood, what is refused and in which words, and that `.env.example` is true."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.config import Settings, SettingsFault, read_settings

ROOT = Path(__file__).parents[2]
NAMES = {name.upper() for name in Settings.model_fields}
TOKEN = "MTAx.secret-part"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def faults_of(env_file: Path = Path(".env")) -> tuple[str, ...]:
    with pytest.raises(SettingsFault) as caught:
        read_settings(env_file)
    return caught.value.faults


def test_nothing_has_to_be_set() -> None:
    settings = read_settings()
    assert settings.discord_token is None
    assert settings.database_url == "sqlite:///data/etut.db"
    assert (settings.default_language, settings.time_zone.key, settings.log_level) == ("en", "UTC", "INFO")
    assert settings.discord_api_base is settings.discord_gateway_url is settings.discord_cdn_base is None


def test_settings_cannot_be_changed_later() -> None:
    with pytest.raises(ValidationError):
        read_settings().log_level = "DEBUG"


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("LOG_LEVEL=ERROR\nDEFAULT_LANGUAGE=tr\n")
    monkeypatch.setenv("LOG_LEVEL", "debug")
    settings = read_settings()
    assert (settings.log_level, settings.default_language) == ("DEBUG", "tr")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("quote", ["", "'", '"', "”"])
def test_a_file_from_any_editor_is_understood(encoding: str, quote: str) -> None:
    Path(".env").write_text(f"# Etüt\r\nDISCORD_TOKEN = {quote}{TOKEN}{quote}\r\n", encoding)
    token = read_settings().discord_token
    assert token is not None
    assert token.get_secret_value() == TOKEN


def test_quotes_set_by_a_shell_are_not_part_of_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f'"Bot {TOKEN}" ')
    token = read_settings().discord_token
    assert token is not None
    assert token.get_secret_value() == TOKEN


def test_an_empty_value_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "")
    monkeypatch.setenv("TIME_ZONE", "")
    assert read_settings() == Settings()


def test_a_file_named_env_txt_is_named() -> None:
    Path(".env.txt").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    (fault,) = faults_of()
    assert ".env.txt" in fault
    assert "rename it to .env" in fault
    Path(".env").write_text("")
    assert read_settings().discord_token is None


def test_lines_that_set_nothing_are_named_by_their_number() -> None:
    Path(".env").write_text(f"LOG_LEVEL=INFO\nDISCORD_TOKEN: {TOKEN}\nTIME_ZONE\n")
    assert [fault.partition(":")[0] for fault in faults_of()] == [".env, line 2", ".env, line 3"]


def test_a_file_in_another_encoding_is_refused_in_words() -> None:
    Path(".env").write_bytes("# çalışma\n".encode("cp1254"))
    assert faults_of() == (".env is not readable text; save it as UTF-8",)


def test_all_faults_are_reported_together_and_no_value_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "DISCORD_TOKEN": "secret with spaces",
        "DATABASE_URL": "postgresql://etut:secret@localhost/etut",
        "QUIZ_DIR": "secret/folder",
        "DEFAULT_LANGUAGE": "secret",
        "TIME_ZONE": "Mars/Secret",
        "LOG_LEVEL": "secret",
        "DISCORD_API_BASE": "secret.example",
        "DISCORD_GATEWAY_URL": "https://secret.example",
        "DISCORD_CDN_BASE": "ftp://secret.example",
        "SANDBOX_PORT": "secret",
    }
    assert set(given) == NAMES
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsFault) as caught:
        read_settings()
    assert {fault.split()[0] for fault in caught.value.faults} == NAMES
    assert "secret" not in str(caught.value).lower()
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_secrets_do_not_show_when_settings_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    settings = read_settings()
    assert TOKEN not in f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"


@pytest.mark.parametrize(
    "url", ["sqlite:///etut.db", "sqlite+aiosqlite:////srv/etut/etut.db", "sqlite:///C:/etut/a b.db"]
)
def test_a_sqlite_file_is_accepted(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    assert read_settings().database_url == url


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql+asyncpg://localhost/etut", "only SQLite is supported"),
        ("mysql://localhost/etut", "only SQLite is supported"),
        ("sqlite://", "names no SQLite file"),
        ("sqlite:///:memory:", "names no SQLite file"),
        ("sqlite:///data/", "names no SQLite file"),
        ("sqlite:///etut.db?mode=ro", "names no SQLite file"),
        ("data/etut.db", "names no SQLite file"),
    ],
)
def test_any_other_database_is_refused_in_words(monkeypatch: pytest.MonkeyPatch, url: str, says: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    (fault,) = faults_of()
    assert says in fault
    assert "sqlite:///data/etut.db" in fault


@pytest.mark.parametrize("port", ["0", "65536", "-1", "8e3", "８７"])
def test_a_port_is_a_number_in_range(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("SANDBOX_PORT", port)
    assert len(faults_of()) == 1


@pytest.mark.parametrize("zone", ["Europe", "../UTC", "Türkiye", "/etc/localtime"])
def test_a_time_zone_is_an_iana_name(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TIME_ZONE", zone)
    assert faults_of() == ("TIME_ZONE is no time zone; write an IANA name such as Europe/Istanbul",)


@pytest.mark.parametrize(
    "given", ["http://127.0.0.1:8000", "http://127.0.0.1:8000/api/", "http://127.0.0.1:8000/api/v10"]
)
def test_an_api_base_is_understood_with_and_without_its_version(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("DISCORD_API_BASE", given)
    assert read_settings().discord_api_base == "http://127.0.0.1:8000/api/v10"


def test_a_gateway_may_be_set_or_left_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_API_BASE", "https://proxy.example")
    assert read_settings().discord_gateway_url is None
    monkeypatch.setenv("DISCORD_GATEWAY_URL", "ws://127.0.0.1:9000/gateway/")
    assert read_settings().discord_gateway_url == "ws://127.0.0.1:9000/gateway"


def test_a_gateway_without_an_api_base_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_GATEWAY_URL", "ws://127.0.0.1:9000")
    (fault,) = faults_of()
    assert fault.startswith("DISCORD_GATEWAY_URL is set without DISCORD_API_BASE")


def test_the_example_shows_every_setting_with_its_default_and_explains_it() -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    assert read_settings(ROOT / ".env.example") == Settings()
    blocks = example.strip().split("\n\n")[1:]
    named = [re.findall(r"^([A-Z_]+)=", block, re.MULTILINE) for block in blocks]
    assert sorted(name for names in named for name in names) == sorted(NAMES)
    assert all(block.startswith("# ") and names for block, names in zip(blocks, named, strict=True))
