"""Edits of a map's files, read back: what differs from the files as they were written."""
