// What is left of the matrix: the items still to be covered, the options still open.

export class Left {
  constructor(start, journal) {
    this.journal = journal;
    this.items = start.names.map(() => true);
    this.options = start.matrix.map((_, at) => !start.dropped.includes(at + 1));
  }

  /** Follow a step; gives the options that have gone and that came back, from 0. */
  follow(record) {
    const gone = [];
    const back = [];
    const isLive = flags(record.live_options.map((option) => option - 1), this.options.length);
    isLive.forEach((live, option) => {
      if (live !== this.options[option]) (live ? back : gone).push(option);
      this.journal.write(this.options, option, live);
    });
    flags(record.live_items, this.items.length).forEach((live, item) =>
      this.journal.write(this.items, item, live),
    );
    return { gone, back };
  }
}

function flags(indices, length) {
  const found = Array(length).fill(false);
  for (const index of indices) found[index] = true;
  return found;
}
