// A board whose cells are switched on and off, by pointer or keys.

import { el } from "./dom.js";
import { Roving } from "./roving.js";

export class BoardEditor {
  constructor(root, changed) {
    this.changed = changed;
    this.hint = el("p", { class: "hint" }, "Press a cell to make a hole; arrow keys move.");
    this.grid = el("div", { class: "board", role: "group", "aria-label": "Board" });
    root.append(el("div", { class: "wide" }, this.hint, el("div", { class: "scroll" }, this.grid)));
    this.roving = new Roving(this.grid);
    this.grid.addEventListener("click", (event) => this.#toggle(event.target));
  }

  /** Show a board: rows of text of one length, where # is a cell. */
  show(rows) {
    this.width = rows[0].length;
    this.cells = rows.flatMap((row, y) =>
      [...row].map((mark, x) => {
        const name = `row ${y + 1}, column ${x + 1}`;
        return el("button", { type: "button", "aria-label": name, "aria-pressed": String(mark === "#") });
      }),
    );
    this.grid.style.setProperty("--columns", this.width);
    this.grid.replaceChildren(...this.cells);
    this.roving.over(this.cells, this.width);
  }

  get rows() {
    const marks = this.cells.map((cell) => (isOn(cell) ? "#" : "."));
    const height = marks.length / this.width;
    return [...Array(height).keys()].map((y) =>
      marks.slice(y * this.width, (y + 1) * this.width).join(""),
    );
  }

  #toggle(cell) {
    if (!this.cells.includes(cell)) return;
    cell.setAttribute("aria-pressed", String(!isOn(cell)));
    this.changed();
  }
}

function isOn(cell) {
  return cell.getAttribute("aria-pressed") === "true";
}

export function rectangle(width, height) {
  return Array(height).fill("#".repeat(width));
}

/** The cells that are there, as pairs of numbers. */
export function openCells(rows) {
  const cells = [];
  rows.forEach((row, y) =>
    [...row].forEach((mark, x) => {
      if (mark === "#") cells.push([x, y]);
    }),
  );
  return cells;
}
