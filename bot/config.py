"""Settings: what the operator chose, read once from the environment and `.env`.

All faults are reported together, in words, and no message ever repeats a value, which may be secret.
Nothing else in the product reads the environment.
"""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dotenv.parser import parse_stream
from pydantic import (
    AfterValidator,
    BeforeValidator,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.i18n import languages

ENV_FILE = Path(".env")

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_QUOTES = " \t\"'“”‘’"
_SQLITE_FILE = re.compile(r"sqlite(\+aiosqlite)?:///[^?#]*[^?#/]")


class SettingsFault(Exception):
    """The settings cannot be used; `faults` says everything that is wrong with them, a sentence each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


def read_settings(env_file: Path = ENV_FILE) -> "Settings":
    """Read the settings from the environment and, where that is silent, from `env_file`, if there is one.

    Raises:
        SettingsFault: naming everything that is wrong.
    """
    encoding = _encoding(env_file)
    faults = list(_file_faults(env_file, encoding))
    try:
        settings = Settings(
            _env_file=None if faults else env_file,  # pyright: ignore[reportCallIssue] - BaseSettings takes it
            _env_file_encoding=encoding,  # pyright: ignore[reportCallIssue]
        )
    except ValidationError as fault:
        faults += [_in_words(dict(error)) for error in fault.errors(include_url=False, include_input=False)]
        raise SettingsFault(faults) from None  # the cause would show the values
    if faults:
        raise SettingsFault(faults)
    return settings


def _token(given: object) -> object:
    if given is None:
        return None
    token = str(given).strip(_QUOTES).removeprefix("Bot ")
    if not re.fullmatch(r"[\x21-\x7e]*", token):
        raise ValueError("holds characters no token has; copy it anew from Discord's developer portal")
    return token or None


def _database(url: str) -> str:
    kind = re.match(r"[a-z0-9+]{1,30}(?=://)", url)
    if kind and not kind[0].startswith("sqlite"):
        raise ValueError(f"asks for {kind[0]}, and only SQLite is supported; write sqlite:///data/etut.db")
    if not _SQLITE_FILE.fullmatch(url) or url.endswith(":memory:"):
        raise ValueError("names no SQLite file; write sqlite:///data/etut.db or sqlite:////full/path/etut.db")
    return url


def _folder(path: Path) -> Path:
    folder = path.expanduser()
    if not folder.is_dir():
        raise ValueError("is no folder; name the one that holds your quizzes, or leave it empty")
    return folder


def _language(code: str) -> str:
    if code not in languages():
        raise ValueError(f"is no language there are texts for; choose one of {', '.join(languages())}")
    return code


def _zone(name: object) -> ZoneInfo:
    try:
        return ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("is no time zone; write an IANA name such as Europe/Istanbul") from None


def _level(name: str) -> str:
    if name.upper() not in _LEVELS:
        raise ValueError(f"is no log level; choose one of {', '.join(_LEVELS)}")
    return name.upper()


def _port(given: object) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", str(given)) or not 0 < int(str(given)) < 65536:
        raise ValueError("is no port; write a number from 1 to 65535")
    return int(str(given))


def _address(url: str, *schemes: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in schemes and parts.hostname and parts.port != 0 and not parts.query
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(f"is no address; write one that begins with {schemes[0]}:// or {schemes[1]}://")
    return url.rstrip("/")


def _web(url: str) -> str:
    return _address(url, "https", "http")


def _api(url: str) -> str:
    base = _web(url)
    return base + {"": "/api/v10", "/api": "/v10"}.get(urlsplit(base).path, "")


def _socket(url: str) -> str:
    return _address(url, "wss", "ws")


class Settings(BaseSettings):
    """What the operator chose; `.env.example` explains each."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True)

    discord_token: Annotated[SecretStr | None, BeforeValidator(_token)] = None
    database_url: Annotated[str, AfterValidator(_database)] = "sqlite:///data/etut.db"
    quiz_dir: Annotated[Path, AfterValidator(_folder)] | None = None
    default_language: Annotated[str, AfterValidator(_language)] = "en"
    time_zone: Annotated[ZoneInfo, BeforeValidator(_zone)] = ZoneInfo("UTC")
    log_level: Annotated[str, AfterValidator(_level)] = "INFO"
    discord_api_base: Annotated[str, AfterValidator(_api)] | None = None
    discord_gateway_url: Annotated[str, AfterValidator(_socket)] | None = None
    discord_cdn_base: Annotated[str, AfterValidator(_web)] | None = None
    sandbox_port: Annotated[int, BeforeValidator(_port)] = 8790

    @field_validator("discord_gateway_url")
    @classmethod
    def _one_server(cls, gateway: str | None, info: ValidationInfo) -> str | None:
        """Refuse a gateway alone: with its API left at Discord, a token would reach two servers."""
        api: str | None = info.data.get("discord_api_base", "")  # not there where it is faulty itself
        if gateway and api is None:
            raise ValueError("is set without DISCORD_API_BASE; set both, or neither")
        return gateway


def _encoding(env_file: Path) -> str:
    """Tell how a text editor, or PowerShell's `>`, has written a file."""
    start = env_file.read_bytes()[:2] if env_file.is_file() else b""
    return "utf-16" if start in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"


def _file_faults(env_file: Path, encoding: str) -> Iterator[str]:
    misnamed = env_file.with_name(f"{env_file.name}.txt")
    if not env_file.is_file():
        if misnamed.is_file():
            yield f"{misnamed.name} is not read; rename it to {env_file.name} (Windows hides the ending .txt)"
        return
    try:
        text = env_file.read_text(encoding)
    except UnicodeError:
        yield f"{env_file.name} is not readable text; save it as UTF-8"
        return
    for line in parse_stream(StringIO(text)):
        if line.error or (line.key and line.value is None):
            yield f"{env_file.name}, line {line.original.line}: cannot be understood; write NAME=value"


def _in_words(error: dict[str, Any]) -> str:
    name = ".".join(str(part) for part in cast("tuple[str | int, ...]", error["loc"])).upper()
    reason = error.get("ctx", {}).get("error", error["msg"])
    return f"{name} {reason}" if name else str(reason)
