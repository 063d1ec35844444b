// Cells of a grid that are one stop for the Tab key, with arrows, Home and End to move.

export class Roving {
  constructor(grid) {
    grid.addEventListener("keydown", (event) => this.#move(event));
    grid.addEventListener("focusin", ({ target }) => this.#settle(target));
  }

  /** Go over these cells from now on, row by row. */
  over(cells, width) {
    this.cells = cells;
    this.width = width;
    this.#settle(cells[0]);
  }

  #move(event) {
    const at = this.cells.indexOf(event.target);
    const x = at % this.width;
    const last = this.width - 1;
    const to = {
      ArrowLeft: x > 0 && at - 1,
      ArrowRight: x < last && at + 1,
      ArrowUp: at - this.width,
      ArrowDown: at + this.width,
      Home: at - x,
      End: at - x + last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to !== false) this.cells[to]?.focus();
  }

  #settle(cell) {
    for (const other of this.cells) other.tabIndex = other === cell ? 0 : -1;
  }
}
