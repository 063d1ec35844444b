// A board whose cells are switched on and off, by pointer or keys.

import { el } from "./dom.js";

const MOST = 24;

export class BoardEditor {
  constructor(root, changed) {
    this.changed = changed;
    this.hint = el("p", { class: "hint" }, "Press a cell to make a hole; arrow keys move.");
    this.grid = el("div", { class: "board", role: "group", "aria-label": "Board" });
    root.append(el("div", { class: "wide" }, this.hint, el("div", { class: "scroll" }, this.grid)));
    this.grid.addEventListener("keydown", (event) => this.#move(event));
    this.grid.addEventListener("click", (event) => this.#toggle(event.target));
  }

  /** Show a board: rows of text, where anything but a blank or a dot is a cell. */
  show(rows) {
    this.width = Math.min(MOST, Math.max(...rows.map((row) => row.length)));
    this.height = Math.min(MOST, rows.length);
    this.grid.replaceChildren();
    this.grid.style.setProperty("--columns", this.width);
    this.cells = [];
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const isOpen = !" .".includes(rows[y][x] ?? ".");
        const name = `row ${y + 1}, column ${x + 1}`;
        const cell = el("button", { type: "button", "aria-label": name, tabindex: -1 });
        cell.setAttribute("aria-pressed", String(isOpen));
        this.cells.push(cell);
        this.grid.append(cell);
      }
    }
    this.cells[0].tabIndex = 0;
  }

  get rows() {
    const marks = this.cells.map((cell) => (isOn(cell) ? "#" : "."));
    return [...Array(this.height).keys()].map((y) =>
      marks.slice(y * this.width, (y + 1) * this.width).join(""),
    );
  }

  #toggle(cell) {
    if (!this.cells.includes(cell)) return;
    cell.setAttribute("aria-pressed", String(!isOn(cell)));
    this.#settle(cell);
    this.changed();
  }

  #move(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const at = this.cells.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    const x = (at % this.width) + step[0];
    const y = Math.floor(at / this.width) + step[1];
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const next = this.cells[y * this.width + x];
    this.#settle(next);
    next.focus();
  }

  /** Only one cell is in the tab order, so that the board is passed by one key. */
  #settle(cell) {
    for (const other of this.cells) other.tabIndex = other === cell ? 0 : -1;
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
      if (!" .".includes(mark)) cells.push([x, y]);
    }),
  );
  return cells;
}
