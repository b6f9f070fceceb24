"""Worlds: seed -> heights. numpy and numba only: no window, no OpenGL, no files."""
