"""The application: command line, settings, diagnosis."""
