"""Drawing: everything that touches OpenGL. A frame calls one pass after the other, with plain values."""

import os

import OpenGL

# Checks cost several microseconds a call: they are on in tests and off in the show. Set them before OpenGL.GL is imported.
OpenGL.ERROR_CHECKING = bool(os.environ.get("LANDFALL_GL_CHECK"))
OpenGL.ERROR_LOGGING = False
