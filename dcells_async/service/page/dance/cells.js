// Dancing cells: each item has its options in a list, those that it still has in front.
//
// An option leaves by a swap with the last one in front, and a size that is one less.
// To undo all that, the sizes alone are set back.

import { Left } from "./left.js";

export class Cells {
  constructor(start, journal) {
    this.journal = journal;
    this.names = start.names;
    this.primary = start.primary;
    this.left = new Left(start, journal);
    this.items = start.matrix.map((entries) => entries.map(([item]) => item));
    this.members = start.names.map((_, item) =>
      [...this.items.keys()].filter(
        (option) => this.left.options[option] && this.items[option].includes(item),
      ),
    );
    this.size = this.members.map((options) => options.length);
    this.active = [...Array(start.primary).keys()];
    this.count = [start.primary];
    this.saved = [];
  }

  take(record) {
    const { action, item, option } = record;
    this.left.follow(record);
    if (action === "try") this.saved.push([[...this.size], this.count[0]]);
    if (action === "restore") this.#restore(...this.saved.pop());
    if ((action === "cover" || action === "purify") && item < this.primary) this.#rest(item);
    if (action === "hide") {
      for (const item of this.items[option - 1]) {
        this.#swap(this.members[item], option - 1, this.size[item] - 1, `set of ${this.names[item]}`);
        this.journal.write(this.size, item, this.size[item] - 1, "size");
      }
    }
  }

  #rest(item) {
    this.#swap(this.active, item, this.count[0] - 1, "active");
    this.journal.write(this.count, 0, this.count[0] - 1, "active items");
  }

  #restore(sizes, count) {
    sizes.forEach((size, item) => this.journal.write(this.size, item, size, "size"));
    this.journal.write(this.count, 0, count, "active items");
  }

  /** Have a member change places with the one that is last. */
  #swap(members, member, last, name) {
    const at = members.indexOf(member);
    const other = members[last];
    this.journal.write(members, at, other, name);
    this.journal.write(members, last, member, name);
  }

  /** Say which place in an array was written, and what. */
  tell({ name, at, before, after }) {
    if (name === "size") return `size[${this.names[at]}] = ${after}, was ${before}`;
    if (name === "active items") return `${name} = ${after}, were ${before}`;
    const called = name === "active" ? (item) => this.names[item] : (option) => option + 1;
    return `${name}[${at}] = ${called(after)}, was ${called(before)}`;
  }
}
