"""The page of Landfall in the settings dialogs of XScreenSaver and Xfce, made from the table of options.

Its form is XScreenSaver's: an option that stands at its default adds no words to the command.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from ..hosts.hosts import HOSTS
from ..scenes.scenes import ROTATION, SCENES
from ..tables.looks import LOOKS
from ..tables.quality import QUALITIES
from .settings import Setting, settings_of

ROOT_WORD = "--root"
SLOWEST_FPS = 5
ABOUT = (
    "Worlds that grow on your screen by five published algorithms: terrains by plasma and falling particles, planets by "
    "plane cuts, simplex noise and a double cone. Rain carves them, and a camera flies over them."
)


def page(name: str) -> bytes:
    """The page as XML. `name`: of the program that it starts, which is how dialogs find it."""
    top = ElementTree.Element("screensaver", {"name": name, "_label": "Landfall", "gl": "yes"})
    ElementTree.SubElement(top, "command", {"arg": ROOT_WORD})
    rows = {setting.name: setting for setting in settings_of("show")}
    for option, (label, add) in CONTROLS.items():
        add(top, rows[option], label)
    ElementTree.SubElement(top, "_description").text = f"\n{ABOUT}\n"
    ElementTree.indent(top)
    return ElementTree.tostring(top, "UTF-8", xml_declaration=True) + b"\n"


def _one_of(words: dict[str, str], automatic: str) -> Callable[[ElementTree.Element, Setting, str], None]:
    """A menu. `words`: what the option takes, with their labels. `automatic`: the label of an option that is not given."""

    def add(top: ElementTree.Element, setting: Setting, label: str) -> None:
        default = setting.defaults["show"]
        menu = ElementTree.SubElement(top, "select", {"id": setting.name})
        if not default:
            ElementTree.SubElement(menu, "option", {"id": "any", "_label": f"{label}: {automatic}"})
        for word, named in words.items():
            arg = {} if word == default else {"arg-set": f"{setting.option} {word}"}
            ElementTree.SubElement(menu, "option", {"id": word, "_label": f"{label}: {named}", **arg})

    return add


def _on_or_off(top: ElementTree.Element, setting: Setting, label: str) -> None:
    ElementTree.SubElement(top, "boolean", {"id": setting.name, "_label": label, "arg-set": setting.option})


def _off(top: ElementTree.Element, setting: Setting, label: str) -> None:
    ElementTree.SubElement(top, "boolean", {"id": setting.name, "_label": label, "arg-set": f"{setting.option} off"})


def _rate(top: ElementTree.Element, setting: Setting, label: str) -> None:
    limits = {"low": str(SLOWEST_FPS), "high": str(HOSTS["window"].fps), "default": str(HOSTS["x11_window"].fps)}
    ends = {"_low-label": limits["low"], "_high-label": limits["high"]}
    kind = {"id": setting.name, "type": "slider", "arg": f"{setting.option} %", "_label": label}
    ElementTree.SubElement(top, "number", kind | ends | limits)


# In the order of the dialog.
CONTROLS: dict[str, tuple[str, Callable[[ElementTree.Element, Setting, str], None]]] = {
    "scene": ("First scene", _one_of({name: SCENES[name].title for name in ROTATION}, "as they come")),
    "look": ("Look", _one_of({name: name for name in LOOKS}, "")),
    "quality": ("Quality", _one_of({name: name for name in QUALITIES}, "by the graphics card")),
    "fps": ("Frames a second", _rate),
    "hours": ("Without the hours of the day", _off),
    "captions": ("Without captions", _off),
    "calm": ("Slower and gentler flights", _on_or_off),
}
