"""`install`: what it writes into a home, once and as its patch says, and that nothing of it stays."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.program import complaint, landfall

from demo.app import cli, compile_now, install_command, saver_hosts, wallpaper
from demo.app.idle_entries import KdeIdleCommand, MarkedLines, XScreenSaverProgram
from demo.app.saver_hosts import LAUNCHER, NO_HOST, SAVER_HOSTS
from demo.app.saver_page import page
from demo.app.show_options import show_options
from demo.worlds.parameters import ParameterError

SYSTEM_PAGES = Path("/usr/share/xscreensaver/config")
XSCREENSAVER = """\
# XScreenSaver Preferences File
timeout:\t0:10:00
lock:\t\tFalse
mode:\t\tone
selected:\t1

programs:\t\t\t\t\t\t\t      \\
\t\t\t\tmaze --root\t\t\t\t    \\n\\
- GL: \t\t\t\t"The Globe" glplanet --root --speed 2\t    \\n\\


pointerHysteresis: 10
"""
SWAYIDLE = "timeout 300 'swaylock -f'\nbefore-sleep 'swaylock -f'"
HYPRIDLE = "general {\n    lock_cmd = pidof hyprlock || hyprlock\n}\n"
KDE = """\
[AC][Display]
TurnOffDisplayIdleTimeoutSec=900

[AC][RunScript]
RunScriptIdleTimeoutSec=60

[Battery][Performance]
PowerProfile=balanced
"""
USERS = {
    "xscreensaver": (".xscreensaver", XSCREENSAVER),
    "swayidle": (".config/swayidle/config", SWAYIDLE),
    "hypridle": (".config/hypr/hypridle.conf", HYPRIDLE),
    "kde": (".config/powerdevilrc", KDE),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home, in which nothing is compiled."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(compile_now, "compile_all", lambda: compile_now.Compiled(0, 0, 0.0))
    return tmp_path


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Contents and permissions of all files."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode & 0o777) for path in found}


def install(host: str, *words: str) -> int:
    return cli.main(["install", host, *words])


def users_file(home: Path, host: str) -> Path | None:
    """The user's file that the host reads, with what the user has written into it."""
    if host not in USERS:
        return None
    name, text = USERS[host]
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("users", [False, True], ids=["new", "with the user's file"])
@pytest.mark.parametrize("host", SAVER_HOSTS)
def test_once_twice_and_out_again(home, host, users, capsys):
    path = users_file(home, host) if users else None
    before = files(home)
    assert install(host) == 0
    said, once = capsys.readouterr().out, files(home)
    assert all(f"{home}/{name}" in said for name in once if before.get(name) != once[name])
    assert f"install {host} --uninstall" in said and SAVER_HOSTS[host].title in said
    if path:
        assert once[f"{path.relative_to(home)}.before-landfall"] == before[str(path.relative_to(home))]
        assert path.stat().st_mode & 0o777 == 0o600
        assert all(
            line in path.read_text().splitlines() for line in USERS[host][1].splitlines() if "IdleTimeoutSec=60" not in line
        )
    assert install(host) == 0
    assert files(home) == once and "already" in capsys.readouterr().out
    assert install(host, "--uninstall") == 0
    assert files(home) == before
    assert install(host, "--uninstall") == 0 and "not installed" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("words", [[], ["--uninstall"]], ids=["install", "uninstall"])
@pytest.mark.parametrize("host", SAVER_HOSTS)
def test_the_dry_run_is_a_patch(home, host, words, capsysbinary):
    """GNU patch, fed with it, makes the same files."""
    if not shutil.which("patch"):
        pytest.skip("patch is not installed")
    users_file(home, host)
    if words:
        install(host)
    before = files(home)
    capsysbinary.readouterr()
    assert install(host, *words, "--dry-run") == 0
    assert files(home) == before, "it changes nothing"
    printed = capsysbinary.readouterr().out
    twin = home.with_name(home.name + "-twin")
    shutil.copytree(home, twin)
    command = ["patch", "-p1", "--quiet", "-d", str(twin)]
    done = subprocess.run(command, input=below(printed, home), capture_output=True)
    assert done.returncode == 0, done.stdout
    install(host, *words)
    assert files(twin) == files(home)


def below(printed: bytes, home: Path) -> bytes:
    """A patch whose paths begin below the home. What stands in the files is kept."""
    heads = re.compile(rb"^(diff --git|---|\+\+\+) .*$", re.MULTILINE)
    return heads.sub(lambda match: match[0].replace(b" " + bytes(home), b" a"), printed)


def test_what_the_user_changes_meanwhile_stays(home):
    path = users_file(home, "xscreensaver")
    install("xscreensaver")
    # As the settings dialog does: another layout, our entry turned off and with options, and another choice.
    ours = next(line for line in path.read_text().splitlines() if LAUNCHER in line)
    changed = path.read_text().replace(ours, ours.replace("  GL:", "- GL:").replace("--root", "--root --calm"))
    path.write_text(changed.replace("selected:\t1", "selected:\t0"))
    assert install("xscreensaver") == 0
    assert path.read_text().count(LAUNCHER) == 1
    install("xscreensaver", "--uninstall")
    assert path.read_text() == XSCREENSAVER.replace("selected:\t1", "selected:\t0")
    assert list(files(home)) == [".xscreensaver"]


def test_the_launcher_stays_while_another_host_needs_it(home):
    for host in ("swayidle", "xscreensaver"):
        install(host)
    install("swayidle", "--uninstall")
    assert (home / ".local/bin" / LAUNCHER).exists()
    install("xscreensaver", "--uninstall")
    assert files(home) == {}


def test_a_link_to_dotfiles_stays_a_link(home):
    path = users_file(home, "swayidle")
    kept = home / "dotfiles"
    path.rename(kept)
    path.symlink_to(kept)
    install("swayidle")
    assert path.is_symlink() and LAUNCHER in kept.read_text()
    install("swayidle", "--uninstall")
    assert path.is_symlink() and kept.read_text() == SWAYIDLE


@pytest.mark.parametrize("name", ["two words", "it's", 'a "b"', "50 % $HOME `x`", "ünï\\c"])
def test_a_home_with_any_name(home, name, monkeypatch, capfd):
    """The launcher starts from each host's entry, as that host reads it."""
    home = home / name
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(saver_hosts, "start_words", lambda: ["/bin/echo", "started"])
    path = home / ".local/bin" / LAUNCHER
    for host in ("xscreensaver", "swayidle", "mate"):
        install(host)
    entry = next(line for line in (home / ".xscreensaver").read_text().split("\n") if LAUNCHER in line)
    shell = entry.removeprefix('  GL: "Landfall" ').removesuffix(" \\n\\")
    assert subprocess.check_output(["sh", "-c", shell], text=True) == "started show --root\n"
    line = next(line for line in (home / ".config/swayidle/config").read_text().splitlines() if LAUNCHER in line)
    timeout, seconds, command = shlex.split(line)
    assert (timeout, int(seconds)) == ("timeout", saver_hosts.IDLE_S)
    assert subprocess.check_output(["sh", "-c", command], text=True) == "started show --saver\n"
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read(home / f".local/share/applications/screensavers/{LAUNCHER}.desktop", encoding="utf-8")
    unescaped = desktop["Desktop Entry"]["Exec"].replace("\\\\", "\\")
    assert [word.replace("%%", "%") for word in shlex.split(unescaped.replace("\\$", "$").replace("\\`", "`"))] == [
        str(path),
        "--root",
    ]


def test_a_system_list_is_kept_by_a_new_file(home, monkeypatch, tmp_path):
    system = tmp_path / "XScreenSaver"
    system.write_text(
        "*mode: random\n*programs:  \\\n maze --root \\n\\\n- GL: globe --root \\n\\\n pyro --root\\n\n*other: 1\n"
    )
    monkeypatch.setattr("demo.app.idle_entries.APP_DEFAULTS", (system,))
    entry = XScreenSaverProgram("/x/saver", "GL: /x/saver --root")
    made = entry.add(None).decode()
    rows = [
        "programs: \\",
        " maze --root \\n\\",
        "- GL: globe --root \\n\\",
        " pyro --root \\n\\",
        "  GL: /x/saver --root \\n\\",
    ]
    assert made == "\n".join([*rows, "", ""])
    assert entry.add(b"timeout: 5").decode() == f"timeout: 5\n{made}"


@pytest.mark.parametrize(
    "text",
    [
        b"programs: maze --root",
        b"programs: \\\n maze --root \\n\\\n qix --root\n",
        b"a: 1\nprograms: \\\n\nselected: 3\n",
        b"programs: \\\n maze\xff --root \\n\\\n\r\n",
    ],
)
def test_any_list_of_programs_is_left_as_it_was(text):
    entry = XScreenSaverProgram("/x/saver", "GL: /x/saver --root")
    added = entry.add(text)
    assert added.count(b"/x/saver") == 1 and entry.remove(added) == text
    # The line of ours belongs to the list, and those behind it do not.
    ours = added.split(b"\n").index(next(line for line in added.split(b"\n") if b"/x/saver" in line))
    assert added.split(b"\n")[ours - 1].endswith(b"\\")


def test_plasmas_own_command_is_not_replaced(home):
    path = users_file(home, "kde")
    path.write_text("[AC][RunScript]\nIdleTimeoutCommand=xlock\n")
    before = files(home)
    assert install("kde") == 2 and files(home) == before


def test_entries_of_plasma_leave_the_rest_of_their_group():
    entry = KdeIdleCommand("/x --saver", 600)
    text = b"[AC][RunScript]\nProfileLoadCommand=hello\n\n[Other]\na=b\n"
    assert b"[AC][RunScript]\nIdleTimeoutCommand=/x --saver\nRunScriptIdleTimeoutSec=600\nProfile" in entry.add(text)
    assert entry.remove(entry.add(text)) == text
    assert entry.remove(b"[AC][RunScript]\nIdleTimeoutCommand=other\n") == b"[AC][RunScript]\nIdleTimeoutCommand=other\n"


def test_marked_lines_go_whatever_stands_between_the_marks():
    entry = MarkedLines(("one", "two"))
    assert entry.remove(entry.add(b"before\n").replace(b"two", b"by the user") + b"after\n") == b"before\nafter\n"


def test_hosts_that_are_none(home):
    for name in NO_HOST:
        with pytest.raises(ParameterError, match=NO_HOST[name]):
            install_command.chosen(name, system=False)
    said = complaint(landfall("install", "windows", HOME=str(home)), 2)
    assert ", ".join(SAVER_HOSTS) in said
    assert "--system is not possible" in complaint(landfall("install", "kde", "--system", HOME=str(home)), 2)
    assert files(home) == {}


def test_for_all_users(home, monkeypatch, capsys):
    """Launchers and pages alone; nothing is compiled."""
    root = home / "root"
    monkeypatch.setattr(install_command, "systems_places", lambda: saver_hosts.systems_places(root))
    monkeypatch.setattr(saver_hosts, "start_words", lambda: ["/bin/echo"])
    monkeypatch.setattr(install_command, "start_words", lambda: ["/bin/echo"])
    monkeypatch.setattr(compile_now, "compile_all", lambda: pytest.fail("it compiles"))
    assert install("xscreensaver", "--system") == 0
    assert list(files(root)) == [f"usr/local/bin/{LAUNCHER}", f"usr/share/xscreensaver/config/{LAUNCHER}.xml"]
    assert install("mate", "--system") == 0
    for host in ("mate", "xscreensaver"):
        install(host, "--system", "--uninstall")
    assert files(home) == {}
    private = home / "private"
    private.mkdir(mode=0o700)
    monkeypatch.setattr(install_command, "start_words", lambda: [str(private / "python"), "-m", "x"])
    (private / "python").touch()
    capsys.readouterr()
    assert install("xfce", "--system") == 1 and "other users cannot read" in capsys.readouterr().err
    assert files(root) == {}


def test_a_folder_that_cannot_be_written_is_one_line(home, capsys):
    (home / ".local").write_text("in the way")
    assert install("swayidle") == 1
    said = capsys.readouterr().err
    assert said.startswith("landfall: cannot change") and said.count("\n") == 1


# --- the page of XScreenSaver's dialog ---------------------------------------------------------------------------------


def settings_page() -> ElementTree.Element:
    return ElementTree.fromstring(page(LAUNCHER))


def test_each_word_of_the_page_is_an_option_of_the_show():
    top = settings_page()
    words = [control.get("arg-set") for control in top.iter() if control.get("arg-set")]
    for number in top.iter("number"):
        words += [number.get("arg").replace("%", number.get(end)) for end in ("low", "high", "default")]
    assert len(words) > 12
    for word in words:
        show_options(cli.parse(["show", "--root", *shlex.split(word)]))


def test_the_page_starts_with_what_a_show_without_options_is():
    top = settings_page()
    assert [control.get("arg") for control in top.iter("command")] == ["--root"]
    for menu in top.iter("select"):
        assert [option.get("arg-set") for option in menu].count(None) == 1
    plain = cli.parse(["show", "--root"])
    assert plain.look in {option.get("id") for option in top.iter("option") if not option.get("arg-set")}


@pytest.mark.skipif(not list(SYSTEM_PAGES.glob("*.xml")), reason="XScreenSaver has no pages here")
def test_the_page_is_like_those_of_xscreensaver():
    """No element and no attribute that is in none of its own pages."""
    known: dict[str, set[str]] = {}
    inside: set[tuple[str, str]] = set()
    for path in SYSTEM_PAGES.glob("*.xml"):
        for element in ElementTree.parse(path).iter():
            known.setdefault(element.tag, set()).update(element.attrib)
            inside |= {(element.tag, part.tag) for part in element}
    for element in settings_page().iter():
        assert set(element.attrib) <= known[element.tag], element.tag
        assert {(element.tag, part.tag) for part in element} <= inside


def test_a_page_is_well_formed(tmp_path):
    if not shutil.which("xmllint"):
        pytest.skip("xmllint is not installed")
    (tmp_path / "page.xml").write_bytes(page(LAUNCHER))
    command = ["xmllint", "--noout", str(tmp_path / "page.xml")]
    schema = SYSTEM_PAGES / "xscreensaver.xsd"
    subprocess.run([*command, *(["--schema", str(schema)] if schema.exists() else [])], check=True, capture_output=True)


def test_compiled_kernels_go_with_the_last_host(home, monkeypatch):
    cache = home / ".cache/landfall/numba-x"
    cache.mkdir(parents=True)
    cache.parent.chmod(0o700)
    (cache / "kernel.nbc").write_bytes(b"code")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache))
    for host in ("mate", "kde"):
        install(host)
    install("mate", "--uninstall")
    assert cache.exists()
    install("kde", "--uninstall")
    assert not cache.parent.exists() and files(home) == {}


def test_the_desktop_has_its_own_picture_back_when_it_is_uninstalled(home, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    memory = wallpaper.memory_file()
    memory.parent.mkdir(parents=True)
    memory.write_text('{"desktop": "sway", "before": {}}')
    wallpaper.picture_file().write_bytes(b"a picture")
    assert install("mate") == 0 and install("mate", "--uninstall", "--dry-run") == 0
    assert memory.exists()
    assert install("mate", "--uninstall") == 0
    assert "its own picture again" in capsys.readouterr().out
    assert not memory.exists() and not wallpaper.picture_file().exists()
