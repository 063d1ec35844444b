// The covers found, for downloading; the first so many.

import { el } from "./dom.js";

export const MOST_KEPT = 100_000;

export class Kept {
  clear() {
    this.covers = [];
  }

  add(cover) {
    if (this.covers.length < MOST_KEPT) this.covers.push(cover);
  }

  /** Hand them to the browser as a file: a record a line, as the service writes them. */
  download(puzzle, name) {
    const lines = this.covers.map((options, at) => {
      const names = options.map((option) => puzzle.dlx.namesOf(option));
      return JSON.stringify({ type: "cover", cover: at + 1, options, names }) + "\n";
    });
    const url = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
    el("a", { href: url, download: `${name}.ndjson` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}
