"""What the show draws of a map."""
