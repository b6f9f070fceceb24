"""What the show draws of a map over its relief."""
