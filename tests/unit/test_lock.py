"""The locked requirements: complete for every Python and system we support, hashed, and free of addresses."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.txt", "requirements-dev.txt")
SYSTEMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "macos": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def entries(lock: str) -> list[str]:
    text = (ROOT / lock).read_text("utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def requirements(lock: str) -> list[Requirement]:
    return [Requirement(entry.partition("--hash")[0].strip()) for entry in entries(lock)]


def environment(python: str, system: str) -> dict[str, str]:
    return {
        **SYSTEMS[system],
        "python_version": python,
        "python_full_version": f"{python}.1",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "platform_machine": "x86_64",
        "extra": "",
    }


def installed(lock: str, python: str, system: str) -> dict[str, Requirement]:
    there = environment(python, system)
    chosen = [r for r in requirements(lock) if r.marker is None or r.marker.evaluate(there)]
    names = [canonicalize_name(r.name) for r in chosen]
    assert len(names) == len(set(names)), "two versions of one package would be installed"
    return dict(zip(names, chosen, strict=True))


def declared(*extras: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [
        *project["dependencies"],
        *(text for extra in extras for text in project["optional-dependencies"][extra]),
    ]
    return [Requirement(text) for text in texts]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_and_hashed(lock: str) -> None:
    for entry in entries(lock):
        assert re.match(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==\S+", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_names_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert not re.search(r"://|^\s*-[-a-z]*(index|find-links)|^-[ifre] | @ ", text, re.MULTILINE)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(("lock", "extras"), [(LOCKS[0], ()), (LOCKS[1], ("dev",))])
def test_the_lock_holds_what_the_project_declares_everywhere(
    lock: str, extras: tuple[str, ...], python: str, system: str
) -> None:
    locked = installed(lock, python, system)
    for wanted in declared(*extras):
        if wanted.marker and not wanted.marker.evaluate(environment(python, system)):
            continue
        found = locked[canonicalize_name(wanted.name)]
        (pin,) = found.specifier
        assert wanted.specifier.contains(pin.version, prereleases=True), f"{found} is not {wanted}"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", LOCKS)
def test_what_only_some_systems_need_is_there_and_only_there(lock: str, python: str, system: str) -> None:
    locked = installed(lock, python, system)
    assert ("audioop-lts" in locked) == (python in ("3.13", "3.14"))
    assert ("colorama" in locked) == (system == "windows")
    assert ("uvloop" in locked) == (system != "windows")
    assert "tzdata" in locked


def test_tests_run_on_the_versions_that_are_shipped() -> None:
    tested = {str(requirement) for requirement in requirements("requirements-dev.txt")}
    assert {str(requirement) for requirement in requirements("requirements.txt")} <= tested
