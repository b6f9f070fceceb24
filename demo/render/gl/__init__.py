"""OpenGL itself, one noun a file."""

import os

import OpenGL

# Checks cost several microseconds a call: they are on in tests and off in the show. Set them before its functions are imported.
OpenGL.ERROR_CHECKING = bool(os.environ.get("LANDFALL_GL_CHECK"))
OpenGL.ERROR_LOGGING = False
