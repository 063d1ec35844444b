// The covers found, for downloading; the first so many.
//
// Names and lines are the service's: it has read the text, and the page has not. They are
// kept once for each option, not for each cover.

import { el } from "./dom.js";

export const MOST_KEPT = 100_000;

export class Kept {
  clear() {
    this.covers = [];
    this.told = new Map();
  }

  add({ options, names, lines, price }) {
    if (this.covers.length === MOST_KEPT) return;
    this.covers.push({ options, price });
    options.forEach((option, at) => {
      if (!this.told.has(option)) this.told.set(option, { names: names[at], line: lines[at] });
    });
  }

  /** Hand them to the browser as a file: a record a line, as the service writes them. */
  download(name) {
    const records = this.covers.map(({ options, price }, at) => {
      const told = options.map((option) => this.told.get(option));
      const names = told.map((it) => it.names);
      const lines = told.map((it) => it.line);
      const record = { type: "cover", cover: at + 1, options, names, lines, price };
      return JSON.stringify(record) + "\n";
    });
    const url = URL.createObjectURL(new Blob(records, { type: "application/x-ndjson" }));
    el("a", { href: url, download: `${name}.ndjson` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}
