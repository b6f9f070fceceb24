"""Edits of a map: what they do to the relief, the waters and the names of its planet."""
