"""`install`: Landfall among the screensavers of a desktop, and out of it again."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from argparse import Namespace
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ..process import environment, log
from ..process.installation import PROGRAM
from ..process.standard_streams import OutputError
from ..process.stderr import say
from ..worlds.parameters import ParameterError
from . import wallpaper
from .file_changes import Change, carry_out, patch, real, remove_empty
from .saver_hosts import NO_HOST, SAVER_HOSTS, Places, SaverHost, launcher, start_words, systems_places, users_places

NOT_READABLE = "other users cannot read {}: install Landfall where all can, and run this again"


def run(arguments: Namespace) -> int:
    """Writes or removes the files, or prints the changes as a patch."""
    host = chosen(arguments.host, arguments.system)
    places = systems_places() if arguments.system else users_places()
    changes = removals(host, places) if arguments.uninstall else additions(host, places)
    if arguments.dry_run:
        _show(changes)
        return 0
    if arguments.system and not arguments.uninstall:
        _check_all_can_read()
    for change in changes:
        _carry_out(change, places)
    if arguments.uninstall and not arguments.system and wallpaper.restore():
        print("the desktop has its own picture again", flush=True)
    if arguments.uninstall:
        return _removed(host, changes, places)
    return _added(arguments, host, changes)


def chosen(name: str, system: bool) -> SaverHost:
    """The row of that name; raises ParameterError where there is none, or none for all users."""
    if name in NO_HOST:
        raise ParameterError(f"{NO_HOST[name]}: in an X11 session install XScreenSaver and write 'install xscreensaver'")
    if name not in SAVER_HOSTS:
        raise ParameterError(f"there is no host '{name}': there are {', '.join(SAVER_HOSTS)}")
    if system and not SAVER_HOSTS[name].for_all:
        raise ParameterError(f"--system is not possible for {name}, whose settings are each user's: leave it out")
    return SAVER_HOSTS[name]


def additions(host: SaverHost, places: Places) -> list[Change]:
    """What installing changes. Nothing is written."""
    return real(chain.from_iterable(file.installing() for file in [launcher(places), *host.files(places)]))


def removals(host: SaverHost, places: Places) -> list[Change]:
    """What uninstalling changes; the launcher stays while another host starts it. Nothing is written."""
    files = host.files(places)
    own = {file.path for file in files}
    others = (file for other in _rows(places) for file in other.files(places) if file.path not in own)
    if not any(file.present() for file in others):
        files = [*files, launcher(places)]
    return real(chain.from_iterable(file.removing() for file in files))


def _rows(places: Places) -> Iterator[SaverHost]:
    return (row for row in SAVER_HOSTS.values() if row.for_all or not places.page)


def _show(changes: list[Change]) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(b"".join(map(patch, changes)))
    except OSError as error:
        raise OutputError(error.errno, error.strerror) from None


def _carry_out(change: Change, places: Places) -> None:
    try:
        carry_out(change)
    except OSError as error:
        as_root = " as root" if places.page else ""
        raise OSError(
            f"cannot change {change.path} ({error.strerror}): make it writable and run this again{as_root}"
        ) from None
    if change.after is None:
        print(f"removed {change.path}", flush=True)
        for base in (places.data, places.settings):
            remove_empty(change.path.parent, base)
    else:
        print(f"{'wrote' if change.before is None else 'changed'} {change.path}", flush=True)


def _added(arguments: Namespace, host: SaverHost, changes: list[Change]) -> int:
    if not changes:
        print(f"Landfall is installed for {host.title} already", flush=True)
    # Kernels are code that is run, and belong to each user: nothing of it is compiled for all.
    status = 0 if arguments.system else _compile()
    print(f"{host.title}: {host.after}")
    if arguments.host == "xscreensaver" and not arguments.system:
        print(f'its page in the settings dialog is the system\'s: "{PROGRAM} install xscreensaver --system" as root adds it')
    system = " --system" if arguments.system else ""
    print(f'to undo it: "{PROGRAM} install {arguments.host}{system} --uninstall"')
    return status


def _compile() -> int:
    # Brings numpy and pygame along, which may be missing; the files are there by now.
    from .compile_now import compile_all

    print("compiling what is not compiled yet: minutes the first time and after an upgrade", flush=True)
    compiled = compile_all()
    if compiled.missing:
        say(f"{compiled.missing} of {compiled.jobs} parts could not be compiled: they are compiled when they are needed")
        return 1
    print(
        f"compiled {compiled.jobs} parts in {compiled.seconds:.0f} s" if compiled.jobs else "all is compiled already",
        flush=True,
    )
    return 0


def _removed(host: SaverHost, changes: list[Change], places: Places) -> int:
    if not changes:
        print(f"Landfall is not installed for {host.title}")
    elif not places.page and launcher(places).path in {change.path for change in changes}:
        _forget()
    return 0


def _forget() -> None:
    """Removes the log, and the compiled kernels of all versions unless the user has named a folder for them."""
    log_folder, own = log.log_file().parent, environment.cache_home() / "landfall"
    if environment.is_private(log_folder):
        for path in log_folder.glob("log*"):
            path.unlink()
            print(f"removed {path}")
        remove_empty(log_folder, log_folder.parent)
    if Path(os.environ.get("NUMBA_CACHE_DIR", "")).parent == own and environment.is_private(own):
        shutil.rmtree(own, ignore_errors=True)
        print(f"removed {own}, the compiled kernels; a show compiles them anew")


def _check_all_can_read() -> None:
    """Raises OSError where the launcher would start what others cannot read."""
    for path in (Path(word) for word in start_words() if os.path.isabs(word)):
        for part in (path, *path.resolve().parents):
            needed = stat.S_IXOTH if part.is_dir() else stat.S_IROTH
            if not part.stat().st_mode & needed:
                raise OSError(NOT_READABLE.format(part))
