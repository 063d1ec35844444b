// One search over a WebSocket. It goes no further than we have said that we want.

import { LOST, Refusal, UNREACHED, recordOf, socketTo } from "./api.js";

export class Search {
  /**
   * @param path where: covers or steps are searched for
   * @param order what the first message says
   * @param on what to call for records, by their types, and fail(error)
   */
  constructor(path, order, on) {
    this.on = on;
    this.wanted = 0;
    this.isOver = false;
    this.isCancelled = false;
    this.socket = socketTo(path);
    this.socket.addEventListener("open", () => this.#say(order));
    this.socket.addEventListener("message", ({ data }) => this.#hear(data));
    this.socket.addEventListener("close", () => this.#closed());
    this.isOpen = new Promise((resolve) => this.socket.addEventListener("open", resolve));
    this.wasOpen = false;
    this.isOpen.then(() => (this.wasOpen = true));
  }

  /** Want so many covers, or steps, more; 0 goes on with what was wanted before. */
  more(number) {
    this.wanted += number;
    this.#later({ more: number });
  }

  pause() {
    this.#later({ pause: true });
  }

  /** Have it end; whatever goes wrong from now on is no more than that. */
  cancel() {
    this.isCancelled = true;
    this.#later({ cancel: true });
  }

  /** Hang up; nothing more is told. */
  drop() {
    this.isOver = true;
    this.socket.close();
  }

  #later(message) {
    this.isOpen.then(() => this.#say(message));
  }

  #say(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #hear(data) {
    if (this.isOver) return;
    const record = this.#read(data);
    if (record.type === "cover" || record.type === "step") this.wanted -= 1;
    if (record.type === "end") this.isOver = true;
    if (record.error) this.#fail(new Refusal(record.error));
    else this.on[record.type]?.(record);
  }

  /** Read a record; what is none is told as the error that it is, and is the end. */
  #read(data) {
    try {
      return recordOf(data);
    } catch (error) {
      this.socket.close();
      return { type: "end", error: { title: error.message } };
    }
  }

  #closed() {
    if (this.isOver) return;
    this.isOver = true;
    this.#fail(new Error(this.wasOpen ? LOST : UNREACHED));
  }

  #fail(error) {
    if (this.isCancelled) this.on.end({ outcome: "cancelled" });
    else this.on.fail(error);
  }
}
