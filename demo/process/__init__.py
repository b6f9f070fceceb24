"""The process around the program: its environment, memory, assets and child processes. Standard library only."""
