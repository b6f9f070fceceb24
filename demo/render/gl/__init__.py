"""OpenGL itself, one noun a file."""

import os

import OpenGL

# Checks cost several microseconds a call: on in tests, off in the show. PyOpenGL reads this when its functions are imported.
OpenGL.ERROR_CHECKING = bool(os.environ.get("LANDFALL_GL_CHECK"))
OpenGL.ERROR_LOGGING = False
