"""The ground: heights in metres, with detail and light, as the renderer draws it and the camera stands on it."""
