"""Drawing: everything that touches OpenGL. Each frame says sky, surface, marks, post, overlay, from plain arguments."""

import os

import OpenGL

# Checks cost several microseconds a call: on in tests, off in the show. They must be set before OpenGL.GL is imported.
OpenGL.ERROR_CHECKING = bool(os.environ.get("LANDFALL_GL_CHECK"))
OpenGL.ERROR_LOGGING = False
