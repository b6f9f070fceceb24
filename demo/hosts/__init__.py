"""Hosts: the places a show can be drawn in (a window, another program's window, a framebuffer without a display)."""

from __future__ import annotations

import os

# Both must precede pygame's import or SDL's start. SDL would turn SIGTERM into an event, which a busy frame loop sees late
# and which hosts that end a screen saver do not wait for.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")
os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "landfall")
