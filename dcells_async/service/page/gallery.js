// Small multiples: the newest covers as pictures, the newest first.

import { el } from "./dom.js";

const MOST = 24;
const FEW = 3;
const WIDE = 2.2;

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

  /** The search is over: a few pictures may be larger. */
  settle() {
    requestAnimationFrame(() => size(this.list, true));
  }

  #draw() {
    this.isDue = false;
    for (const { number, cover, puzzle } of this.waiting) {
      this.list.prepend(framed(`${number}`, puzzle.draw(cover, `Cover ${number}: ${puzzle.tell(cover)}`)));
    }
    this.waiting = [];
    while (this.list.children.length > MOST) this.list.lastChild.remove();
    size(this.list, false);
  }
}

/** Make pictures larger if they are wide, or if they are few and no more will come. */
export function size(list, isComplete) {
  const box = list.querySelector("svg")?.viewBox.baseVal;
  const isWide = box && box.width > WIDE * box.height;
  const isFew = isComplete && list.children.length <= FEW;
  list.classList.toggle("large", isWide || isFew);
}

export function framed(caption, drawing) {
  return el("li", {}, el("figure", {}, drawing, el("figcaption", {}, caption)));
}
