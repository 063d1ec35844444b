"""Models of puzzles: from a question to a `Problem`, and from a cover to a picture.

There is no search in this folder. A model says which items and options describe the
puzzle; any engine that takes a `Problem` may then answer it.

boards
    Sets of cells to be filled, with holes or without.
pieces
    Polyominoes: the twelve pentominoes, all of a given size, or your own.
polyominoes
    Packing pieces into a board.
walls
    Pictures of a board cut into regions.
queens
    Queens on a chessboard that leave one another alone.
langford
    Pairs of numbers, each number as far apart as it says.
"""
