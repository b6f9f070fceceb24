"""Hosts: the places in which a show is drawn: its own window, another program's, or a framebuffer without a display."""

from __future__ import annotations

import os

# These must be set before pygame is imported and SDL starts. SDL would turn SIGTERM into an event. A busy frame loop sees
# that late, and a daemon that ends its screen saver does not wait.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")
os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "landfall")
# By these names a desktop tells its user who keeps the display awake, and why.
os.environ.setdefault("SDL_APP_NAME", "Landfall")
os.environ.setdefault("SDL_SCREENSAVER_INHIBIT_ACTIVITY_NAME", "Worlds are on show")
