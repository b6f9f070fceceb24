"""The planetary map: landmasses, rivers and lakes. Imports `demo.worlds` only; no window, no files."""
