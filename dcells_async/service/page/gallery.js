// Small multiples: the newest covers as pictures, the newest first.

import { el } from "./dom.js";

const MOST = 24;

export class Gallery {
  constructor(list) {
    this.list = list;
    this.waiting = [];
    this.isDue = false;
  }

  clear() {
    this.waiting = [];
    this.list.replaceChildren();
  }

  /** Show a cover soon; of very many at once, only the last are drawn. */
  add(number, cover, puzzle) {
    this.waiting.push({ number, cover, puzzle });
    if (this.waiting.length > MOST) this.waiting.shift();
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.isDue = false;
    for (const { number, cover, puzzle } of this.waiting) {
      this.list.prepend(framed(`${number}`, puzzle.draw(cover, `Cover ${number}: ${puzzle.tell(cover)}`)));
    }
    this.waiting = [];
    while (this.list.children.length > MOST) this.list.lastChild.remove();
  }
}

export function framed(caption, drawing) {
  return el("li", {}, el("figure", {}, drawing, el("figcaption", {}, caption)));
}
