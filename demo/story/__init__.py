"""Stories: the worker's side of the show, from a seed to heights ready for the renderer."""
