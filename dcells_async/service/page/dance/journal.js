// Steps that can be gone through both ways: each is the writes that it made.
//
// New steps are made only at the end, where the arrays are as the search has them.

export class Journal {
  constructor() {
    this.steps = [];
    this.at = 0;
  }

  /** Change an array; what has no name is not told to anybody. */
  write(array, at, after, name) {
    const before = array[at];
    if (before === after) return;
    array[at] = after;
    this.writes.push({ array, at, before, after, name });
  }

  get isAtEnd() {
    return this.at === this.steps.length;
  }

  /** The step that was taken last, if any. */
  get step() {
    return this.steps[this.at - 1];
  }

  /** Take a new step: a model writes what it does. */
  add(record, model) {
    this.writes = [];
    model.take(record);
    const { action, depth, item, option, chosen, text } = record;
    this.steps.push({ action, depth, item, option, chosen, text, writes: this.writes });
    this.at += 1;
  }

  forward() {
    for (const { array, at, after } of this.steps[this.at].writes) array[at] = after;
    this.at += 1;
  }

  back() {
    this.at -= 1;
    for (const { array, at, before } of this.steps[this.at].writes.toReversed()) {
      array[at] = before;
    }
  }
}
