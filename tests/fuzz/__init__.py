"""A fuzzer: odd command lines, parameters, files, places, caches, keys and environments, and what must hold for all of them.

    python -m tests.fuzz                       the kinds of cases
    python -m tests.fuzz maps 500 7            500 cases of a kind, with the seeds 7 to 506
    python -m tests.fuzz all 20000 1 --jobs 2  every kind in turn
    python -m tests.fuzz all --seconds 60      as many as there is time for

A case is a run of the program in a folder of its own. It is forked from a parent that has imported everything and started
no threads, or is a fresh process where imports are what is tried. It must end within 60 s with the status 0, 1 or 2, say at
most one line on stderr, and leave no file half-written. A case depends on its kind and seed alone, so that a failure is run
again by `python -m tests.fuzz KIND 1 SEED`.
"""
