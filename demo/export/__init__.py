"""Export: pictures, films and height maps as files. Nothing here opens a window."""
