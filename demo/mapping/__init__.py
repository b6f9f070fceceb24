"""The planetary map: landmasses, rivers and lakes. It needs no window and no files."""
