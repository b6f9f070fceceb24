"""Drawing: everything that touches OpenGL. Each frame says sky, surface, marks, post, overlay, from plain arguments."""
