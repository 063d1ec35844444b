// Problems as DLX text: a line of items, then a line for each option.

export class Writer {
  /** Primary items are to be covered once; secondary ones at most once, or in one color. */
  constructor(primary, secondary = []) {
    const items = secondary.length ? [...primary, "|", ...secondary] : primary;
    this.lines = [items.join(" ")];
    this.meanings = [];
  }

  /** Add an option, and what it stands for in a picture. */
  add(items, meaning) {
    this.lines.push(items.join(" "));
    this.meanings.push(meaning);
  }

  get text() {
    return this.lines.join("\n") + "\n";
  }

  /** What the options of a cover stand for; options count from 1. */
  meaningsOf({ options }) {
    return options.map((option) => this.meanings[option - 1]);
  }
}
