// Sudoku, typed into a grid or pasted.

import { Writer } from "../dlx.js";
import { el, picture, svg } from "../dom.js";
import { startField } from "../fields.js";
import { percent } from "../numbers.js";
import { Roving } from "../roving.js";
import { marksOf } from "./sudoku-text.js";

const EXAMPLES = {
  "one solution":
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
  "17 clues":
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
  "many solutions":
    "53.......6..1.5.....8....6.8...6...34..8.3..1....2...6.6....28....41...5....8....",
  empty: ".".repeat(81),
};

const NINE = [...Array(9).keys()];

export const sudoku = {
  key: "sudoku",
  title: "Sudoku",
  about: "Each digit once in each row, column and box. Type digits, or paste a puzzle.",
  form(root, changed, complain) {
    const begin = startField(root, EXAMPLES, (marks) => grid.fill(marks), changed);
    const grid = new Grid(root, changed, complain);
    begin();
    return () => puzzle(grid.digits);
  },
};

class Grid {
  constructor(root, changed, complain) {
    this.changed = changed;
    this.complain = complain;
    this.inputs = NINE.flatMap((row) =>
      NINE.map((column) =>
        el("input", {
          "aria-label": `row ${row + 1}, column ${column + 1}`,
          inputmode: "numeric",
          autocomplete: "off",
          class: `${isSeam(column) ? "box-right" : ""} ${isSeam(row) ? "box-below" : ""}`,
        }),
      ),
    );
    const hint = "Arrow keys move; a whole puzzle can be pasted into any cell.";
    const grid = el("div", { class: "sudoku", role: "group", "aria-label": "Sudoku" });
    grid.append(...this.inputs);
    root.append(el("div", { class: "wide" }, el("p", { class: "hint" }, hint), grid));
    new Roving(grid).over(this.inputs, 9);
    grid.addEventListener("input", (event) => this.#typed(event.target));
    grid.addEventListener("paste", (event) => this.#given(event, event.clipboardData));
    grid.addEventListener("drop", (event) => this.#given(event, event.dataTransfer));
    grid.addEventListener("focusin", (event) => event.target.select());
  }

  /** Show a puzzle of 81 marks. */
  fill(marks) {
    this.inputs.forEach((input, at) => (input.value = digit(marks[at])));
  }

  get digits() {
    return this.inputs.map((input) => Number(input.value));
  }

  #typed(input) {
    const text = input.value;
    // Some keyboards of phones paste as if all were typed.
    const isPasted = text.length > 2;
    input.value = isPasted ? "" : digit(text.slice(-1));
    this.changed();
    if (isPasted) this.#take(text);
  }

  #given(event, data) {
    const text = data.getData("text");
    if (text.trim().length < 2) return;
    event.preventDefault();
    this.#take(text);
  }

  #take(text) {
    try {
      this.fill(marksOf(text));
      this.changed();
    } catch (error) {
      this.complain(error);
    }
  }
}

function isSeam(at) {
  return at === 2 || at === 5;
}

function digit(mark) {
  return mark >= "1" && mark <= "9" ? mark : "";
}

function puzzle(givens) {
  const primary = NINE.flatMap((a) =>
    NINE.flatMap((b) => [`p${a}${b}`, `r${a}${b + 1}`, `c${a}${b + 1}`, `b${a}${b + 1}`]),
  );
  const dlx = new Writer(primary);
  for (const row of NINE) {
    for (const column of NINE) {
      const box = 3 * Math.floor(row / 3) + Math.floor(column / 3);
      const given = givens[9 * row + column];
      for (const value of given ? [given] : NINE.map((k) => k + 1)) {
        const items = [`p${row}${column}`, `r${row}${value}`, `c${column}${value}`, `b${box}${value}`];
        dlx.add(items, { row, column, value });
      }
    }
  }
  return {
    dlx,
    draw: (cover, label) => grid(label, dlx.meaningsOf(cover).map((it) => figure(it, givens))),
    tell: (cover) => {
      const values = [];
      for (const it of dlx.meaningsOf(cover)) values[9 * it.row + it.column] = it.value;
      return values.join("");
    },
    heat: (shares) => [
      {
        title: "How often each digit stands in each cell",
        drawing: grid("Frequencies of digits", shares.map((share, at) => small(dlx.meanings[at], share))),
      },
    ],
  };
}

function grid(label, figures) {
  const thin = [1, 2, 4, 5, 7, 8].map((k) => `M${10 * k} 0v90M0 ${10 * k}h90`).join("");
  const thick = [0, 3, 6, 9].map((k) => `M${10 * k} 0v90M0 ${10 * k}h90`).join("");
  const drawing = picture(
    90,
    90,
    label,
    svg("rect", { width: 90, height: 90, class: "ground" }),
    svg("path", { d: thin, class: "thin" }),
    svg("path", { d: thick, class: "wall" }),
    ...figures,
  );
  drawing.setAttribute("viewBox", "-1 -1 92 92");
  return drawing;
}

function figure({ row, column, value }, givens) {
  const isGiven = givens[9 * row + column] === value;
  return svg(
    "text",
    { x: 10 * column + 5, y: 10 * row + 7.9, class: isGiven ? "figure given" : "figure found" },
    String(value),
  );
}

/** A small digit where it would be noted, as dark as it is frequent. */
function small({ row, column, value }, share) {
  const x = 10 * column + 2 + 3 * ((value - 1) % 3);
  const y = 10 * row + 3 + 3 * Math.floor((value - 1) / 3);
  return svg(
    "text",
    { x, y, class: "note", "fill-opacity": share },
    svg("title", {}, `${value}: ${percent(share, 2)}`),
    String(value),
  );
}
