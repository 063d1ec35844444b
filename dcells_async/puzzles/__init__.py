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
zebra
    Five houses, and clues about who lives there.
filomino
    Numbers that form polyominoes of their size.
dominoes
    Boards cut into pairs of cells; Aztec diamonds and their arctic circle.
transversal
    Cells of a latin square, no two in a row, a column, or of a symbol.
partridge
    One square of side 1, two of side 2, and so on, in a large one.
words
    Five words of five letters that have 24 different ones.
wordsearch, wordsearch_pictures
    Words hidden in a board of letters, in eight directions.
tiles, tile_sets, tile_texts, tile_drawing
    Square tiles with a color on each side: puzzles, random ones and MacMahon's; their
    texts; pictures.
edges
    Edge matching, and boards on which as many edges as possible match.
sudoku
    A digit in each cell, once in each row, column and region, of any size and shape.
sudoku_answers, sudoku_batch
    Many sudokus of 9 by 9, a line each: what is asked and answered, and the stream.
sudoku_generate
    New ones, with no clue too many.
minlex, minlex_batch
    The smallest number among all grids that are the same sudoku: one, or thousands.
grid_lines
    Grids in lines of text.
"""
