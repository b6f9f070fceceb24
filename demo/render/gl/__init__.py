"""OpenGL itself, one noun a file."""
