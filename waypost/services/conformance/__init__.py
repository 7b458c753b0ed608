"""What every engine must do with the same agents, and how far two engines agree.

``trial`` collects where an engine answers otherwise than expected; ``rooms`` builds the small
scenes; ``passing``, ``climbing``, ``meeting`` and ``motion`` are the scenarios, which the tests of
this project run too; ``cases`` lists them; ``agreement`` compares drives with the reference engine.
"""
