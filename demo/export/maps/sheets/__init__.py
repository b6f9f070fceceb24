"""Map sheets as PNG pictures: the whole planet, and the regions that have most to show."""
