"""Tables of plain data that several stages read. Standard library only."""
