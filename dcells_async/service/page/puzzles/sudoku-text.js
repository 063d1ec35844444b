// A sudoku as people write it: 81 marks in a row, or rows with or without a frame.
//
// What cannot be read as exactly 81 cells is refused: a puzzle that is read wrong looks
// like one.

const EMPTY = /[.0*_?xX-]/g;
const FRAME = /[\s|+,;]/g;
const RULE = /^[\s|+=-]*$/;

/** Give 81 marks, digits and dots; throws what is wrong with a text. */
export function marksOf(text) {
  const lines = text
    .replace(/[│┃║]/g, "|")
    .replace(/[\u2500-\u257f]/g, "+")
    .split(/\r\n|\r|\n/)
    .filter((line) => !line.startsWith("#"));
  // In the first way of reading, dashes alone are empty cells; in the second, a rule.
  const ways = [
    () => marked(lines.filter((line) => !(RULE.test(line) && /[+=]/.test(line)))),
    () => marked(lines.filter((line) => !RULE.test(line))),
    () => separated(lines.filter((line) => line.trim())),
    () => blank(lines.at(-1) === "" ? lines.slice(0, -1) : lines),
  ];
  for (const read of ways) {
    const marks = read();
    if (marks?.length === 81) return marks.replace(EMPTY, ".");
  }
  throw new Error(complaint(lines));
}

/** A mark for each cell, and anything of a frame between them. */
function marked(lines) {
  const rows = lines.map((line) => line.replace(FRAME, "")).filter(Boolean);
  const isGrid = rows.length === 1 || rows.every((row) => row.length === 9);
  const marks = rows.join("");
  return isGrid && /^[\d.*_?xX-]*$/.test(marks) ? marks : null;
}

/** Nine rows, as spreadsheets copy them, where a cell may be nothing between two tabs. */
function separated(lines) {
  const rows = lines.map((line) => line.split(/[\t,;]/).map((cell) => cell.trim() || "."));
  const isGrid = rows.length === 9 && rows.every((row) => row.length === 9);
  return isGrid ? marked([rows.flat().join("")]) : null;
}

/** Blanks for empty cells: 81 characters, or nine rows of at most nine. */
function blank(lines) {
  if (lines.length === 1 && lines[0].length === 81) return marked([dotted(lines[0])]);
  const isGrid = lines.length === 9 && lines.every((line) => line.length <= 9);
  return isGrid ? marked([lines.map((line) => dotted(line.padEnd(9))).join("")]) : null;
}

function dotted(line) {
  return line.replaceAll(" ", ".");
}

function complaint(lines) {
  const [strange] = lines.join("").replace(FRAME, "").replace(/[\d.*_?xX=-]/g, "");
  if (strange) return `Sudoku: “${strange}” is neither a digit nor an empty cell`;
  return "Sudoku: these are neither 9 rows of 9 cells nor 81 in one row";
}
