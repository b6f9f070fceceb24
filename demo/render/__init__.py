"""Drawing: everything that touches OpenGL. A frame calls one pass after the other, with plain values."""
