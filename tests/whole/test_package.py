"""The package as a user has it: the wheel in an environment that the user cannot write, run by a user who is not root."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support import hosting, xscreensaver
from support.hosting import ROOT, Owner, screen, until

from demo import __version__
from demo.export.maps.site import viewer_files

# The smallest kernels, and few of them: each user compiles for itself.
MOST_OF_VIEWER = 3_000_000
SMALL = ["--scene", "plasma", "--seed", "5", "--set", "plasma.cells=32", "--set", "plasma.carve=0", "--quality", "low"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    pytest.importorskip("setuptools", "77")
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", folder, ROOT], check=True)
    assert not [*ROOT.glob("build"), *ROOT.glob("*.egg-info")], "a build leaves nothing in the tree"
    (made,) = folder.glob("*.whl")
    return made


@dataclass
class Installed:
    """The installed program, the user who runs it, and a display."""

    account: xscreensaver.Account
    program: Path
    display: str

    def spawn(self, *words: str, **more: object) -> subprocess.Popen:
        return self.account.spawn([str(self.program), *words], self.display, **more)

    def run(self, *words: str) -> str:
        """What it prints; it must end well and without complaints."""
        process = self.spawn(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, errors = process.communicate(timeout=300)
        assert (process.returncode, errors) == (0, ""), errors
        return out


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Iterator[Installed]:
    try:
        with xscreensaver.account() as account, hosting.x_server() as display:
            venv = account.home / "venv"
            subprocess.run([account.python, "-m", "venv", "--without-pip", venv], check=True)
            (site,) = venv.glob("lib/python*/site-packages")
            # In the place of downloads.
            (site / "packages.pth").write_text(account.path or sysconfig.get_paths()["purelib"])
            pip = [
                sys.executable,
                "-m",
                "pip",
                "--python",
                venv / "bin" / "python",
                "install",
                "-q",
                "--no-deps",
                "--no-index",
            ]
            subprocess.run([*pip, "--disable-pip-version-check", wheel], check=True)
            for folder in [site, *filter(Path.is_dir, site.rglob("*"))]:
                folder.chmod(stat.S_IMODE(folder.stat().st_mode) & ~0o222)
            yield Installed(account, venv / "bin" / "landfall", display)
            for folder in [site, *filter(Path.is_dir, site.rglob("*"))]:
                folder.chmod(0o755)
    except xscreensaver.NoUser as error:
        pytest.skip(str(error))


def test_the_wheel_holds_what_runs_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {f"landfall/{path.relative_to(ROOT / 'demo')}" for path in (ROOT / "demo").rglob("*.py")}
    assets = {
        f"landfall/{path.relative_to(ROOT)}" for kind in ("shaders", "fonts") for path in (ROOT / "assets" / kind).iterdir()
    }
    viewer = {address: path for address, path in viewer_files() if not address.startswith("fonts/")}
    assert sum(path.stat().st_size for path in viewer.values()) < MOST_OF_VIEWER
    assets |= {f"landfall/assets/viewer/{address}" for address in viewer}
    assert sources | assets == {name for name in names if name.startswith("landfall/")}
    (metadata,) = (zipfile.ZipFile(wheel).read(name).decode() for name in names if name.endswith("METADATA"))
    assert f"\nVersion: {__version__}\n" in metadata
    extras = {"film": "film", "map": "map", "cluster": "cluster", "": ""}
    for extra, file in extras.items():
        text = (ROOT / f"requirements{f'-{file}' if file else ''}.txt").read_text()
        wanted = {line for line in text.splitlines() if line and not line.startswith("#")}
        found = set(re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE))
        assert {marked(name, extra) for name in wanted} <= found
        assert not extra or {marked(name, "all") for name in wanted} <= found


def marked(requirement: str, extra: str) -> str:
    """A line of a requirements file as the metadata have it."""
    joint = " and" if ";" in requirement else ";"
    return f'{requirement}{joint} extra == "{extra}"' if extra else requirement


def test_the_viewer_is_that_of_its_lock_file():
    """And nothing in the lock file leads to a particular registry."""
    folder = ROOT / "assets" / "viewer"
    lock = json.loads((folder / "package-lock.json").read_text())
    assert not any("resolved" in row for row in lock["packages"].values())
    said = (folder / "vendor" / "LICENCES.txt").read_text()
    for name, version in json.loads((folder / "package.json").read_text())["devDependencies"].items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
        assert name == "esbuild" or f"{name} {version}\n" in said


def test_the_command_says_its_own_name(installed):
    assert installed.run("--version") == f"landfall {__version__}\n"
    said = installed.run("--help")
    assert "landfall grow plasma" in said and "main.py" not in said


def test_doctor_finds_all_it_needs(installed):
    said = installed.run("doctor")
    assert "all is well" in said and "OpenGL renderer" in said and "requirements" not in said


def test_heights_are_those_of_a_checkout(installed, tmp_path):
    words = ["grow", "plasma", "--seed", "7", "--set", "cells=32"]
    installed.run(*words[:2], "world.npz", *words[2:])
    subprocess.run([sys.executable, str(ROOT / "main.py"), *words[:2], str(tmp_path / "world.npz"), *words[2:]], check=True)
    with np.load(installed.account.home / "world.npz") as ours, np.load(tmp_path / "world.npz") as theirs:
        assert np.array_equal(ours["heights"], theirs["heights"])


def test_a_still(installed):
    installed.run("still", "still.png", *SMALL, "--time", "20", "--size", "160x120")
    picture = np.asarray(Image.open(installed.account.home / "still.png"))
    assert picture.shape == (120, 160, 3) and picture.std() > 5


def test_as_a_screensaver(installed):
    """By the launcher that `install` writes, with as little around it as MATE leaves, and children that compile ahead."""
    hosting.need("patch")
    owner = Owner(installed.display)
    # As large as no preview is.
    owner.tell("resize", 600, 400)
    account, log = installed.account, installed.account.home / "said"
    # As a patch, which compiles nothing.
    changes = installed.run("install", "swayidle", "--dry-run")
    apply = account.spawn(["patch", "-s", "-p1", "-d", "/"], installed.display, stdin=subprocess.PIPE)
    apply.communicate(changes)
    assert apply.returncode == 0
    around = {"DISPLAY": installed.display, "HOME": account.home, "PATH": "/bin", "XSCREENSAVER_WINDOW": owner.window}
    command = ["env", "-i", *(f"{name}={value}" for name, value in around.items())]
    with log.open("w") as file:
        words = [*command, str(account.home / ".local/bin/landfall-saver"), "--root", *SMALL]
        process = account.spawn(words, installed.display, stdout=file, stderr=file)
    try:
        until(lambda: xscreensaver.in_each_quarter(screen(installed.display)[20:220, 10:310]), "a picture")
        children = until(lambda: children_of(process.pid), "a compiling child")
        assert any(b"landfall.app.precompile" in words for words in children), children
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == -signal.SIGTERM
        assert log.read_text() == ""
    finally:
        process.kill()
        owner.child.kill()
    assert " --root " in (account.home / ".local/state/landfall/log").read_text()
    assert list((account.home / ".cache" / "landfall").glob("numba-*/*/*.nbc"))
    (site,) = (account.home / "venv").glob("lib/python*/site-packages")
    assert os.getuid() or not list(site.rglob("*.nbc"))


def children_of(number: int) -> list[list[bytes]]:
    """The command lines of a process's children."""
    found = []
    for other, words in xscreensaver.processes():
        try:
            parent = Path(f"/proc/{other}/stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == number:
            found.append(words)
    return found
