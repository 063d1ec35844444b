// Dancing links, as they are written in each step: four arrays of pointers, and sizes.
//
// Node 0 is the root, the next ones are the items, the others the entries of options.
// What is taken out of a list keeps its own pointers; so it can be put back.

import { Left } from "./left.js";

export class Links {
  constructor(start, journal) {
    this.journal = journal;
    this.names = start.names;
    this.primary = start.primary;
    this.left = new Left(start, journal);
    const n = start.names.length;
    const heads = [...Array(n + 1).keys()];
    const isListed = (head) => head <= start.primary;
    const round = start.primary + 1;
    this.prev = heads.map((head) => (isListed(head) ? (head + round - 1) % round : head));
    this.next = heads.map((head) => (isListed(head) ? (head + 1) % round : head));
    this.up = [...heads];
    this.down = [...heads];
    this.size = Array(n).fill(0);
    this.top = heads.map((head) => head - 1);
    this.option = heads.map(() => -1);
    this.color = heads.map(() => null);
    this.entries = start.matrix.map((entries, option) =>
      this.left.options[option] ? entries.map((entry) => this.#append(option, entry)) : [],
    );
    this.picked = [];
    this.via = [];
    this.shade = [];
  }

  #append(option, [item, color]) {
    const node = this.top.length;
    const head = item + 1;
    this.top.push(item);
    this.option.push(option);
    this.color.push(color);
    this.up.push(this.up[head]);
    this.down.push(head);
    this.down[this.up[head]] = node;
    this.up[head] = node;
    this.size[item] += 1;
    return node;
  }

  take(record) {
    const { action, depth, item } = record;
    if (action === "choose") this.picked[depth] = item;
    if (action === "unpurify") this.shade[item] = null;
    const { gone, back } = this.left.follow(record);
    // The option that is tried comes and goes without a step of its own, before.
    for (const option of tried(gone, record)) this.#hide(option, this.#via(option, record));
    for (const option of tried(back, record)) this.#unhide(option);
    if (action === "cover") this.#unlist(item + 1);
    if (action === "uncover") this.#list(item + 1);
    if (action === "cover" || action === "purify") this.covering = item;
    if (action === "purify") this.shade[item] = this.#colorTried(record);
  }

  #via(option, { chosen }) {
    const depth = chosen.indexOf(option + 1);
    return depth < 0 ? this.covering : this.picked[depth];
  }

  #colorTried({ chosen, item }) {
    const entries = this.entries[chosen.at(-1) - 1];
    return this.color[entries.find((node) => this.top[node] === item)];
  }

  #unlist(head) {
    if (head > this.primary) return;
    const { prev, next } = this;
    this.journal.write(next, prev[head], next[head], "right");
    this.journal.write(prev, next[head], prev[head], "left");
  }

  #list(head) {
    if (head > this.primary) return;
    const { prev, next } = this;
    this.journal.write(next, prev[head], head, "right");
    this.journal.write(prev, next[head], head, "left");
  }

  #hide(option, item) {
    this.via[option] = item;
    for (const node of this.#others(option)) {
      const { up, down, journal } = this;
      journal.write(down, up[node], down[node], "down");
      journal.write(up, down[node], up[node], "up");
      journal.write(this.size, this.top[node], this.size[this.top[node]] - 1, "size");
    }
  }

  #unhide(option) {
    for (const node of this.#others(option).reverse()) {
      const { up, down, journal } = this;
      journal.write(down, up[node], node, "down");
      journal.write(up, down[node], node, "up");
      journal.write(this.size, this.top[node], this.size[this.top[node]] + 1, "size");
    }
  }

  /** The entries of an option from where it was met, round, that leave their lists. */
  #others(option) {
    const entries = this.entries[option];
    const at = entries.findIndex((node) => this.top[node] === this.via[option]);
    return [...entries.slice(at + 1), ...entries.slice(0, at)].filter((node) => {
      const shade = this.shade[this.top[node]];
      return !shade || shade !== this.color[node];
    });
  }

  /** Say which place in an array was written, and what. */
  tell({ name, at, before, after }) {
    if (name === "size") return `size[${this.names[at]}] = ${after}, was ${before}`;
    return `${name}[${this.#called(at)}] = ${this.#called(after)}, was ${this.#called(before)}`;
  }

  #called(node) {
    if (node === 0) return "root";
    const name = this.names[this.top[node]];
    return this.option[node] < 0 ? name : `${name} in ${this.option[node] + 1}`;
  }
}

/** Options with the one that a step is about at the end. */
function tried(options, record) {
  const about = record.option === null ? -1 : record.option - 1;
  return [...options.filter((option) => option !== about), ...options.filter((option) => option === about)];
}
