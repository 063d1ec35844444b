// Talking to the service: problem documents, streams of records, the token.

/** What the service refused, and where the text is wrong. */
export class Refusal extends Error {
  constructor({ title, detail, reason, line, text, caret }) {
    // Where there is a reason, the detail is that and the place once more.
    super([title, reason ?? detail].filter(Boolean).join(": "));
    this.place = caret ? `line ${line}\n${text}\n${caret}` : "";
  }
}

export const UNREACHED = "The service cannot be reached";
export const LOST = "The connection to the service was lost";

function urlOf(path) {
  return new URL(path, document.baseURI);
}

export function socketTo(path) {
  const url = urlOf(path);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url);
}

/** Ask, and give records one by one; none are read before they are wanted. */
export async function* recordsOf(path, order, token, signal) {
  const headers = { "content-type": "application/json", accept: "application/x-ndjson" };
  if (token) headers.authorization = `Bearer ${bytesOf(token)}`;
  const body = JSON.stringify(order);
  const asked = fetch(urlOf(path), { method: "POST", headers, body, signal });
  const response = await told(asked, UNREACHED);
  if (!response.ok) throw new Refusal(await documentOf(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let last = null;
  try {
    for (;;) {
      const { value, done } = await told(reader.read(), LOST);
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) yield (last = recordOf(line));
    }
    if (last?.type !== "end") throw new Error(LOST);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Read a record; what else may answer is told as such. */
export function recordOf(text) {
  try {
    const record = JSON.parse(text);
    if (record.type) return record;
  } catch {
    // It is told below, in our words.
  }
  throw new Error("What answers is not the service");
}

/** Say in our words what a browser says in words of its own. */
async function told(asked, message) {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof TypeError ? new Error(message) : error;
  }
}

/** A header's characters stand for bytes; those of a text are as in UTF-8. */
function bytesOf(text) {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

async function documentOf(response) {
  const document = await response.json().catch(() => null);
  return document?.title ? document : { title: `The service answered ${response.status}` };
}

/** What the service says of a search that it ended because we wished so. */
const OUR_WISH = "the client cancelled it";

/** How a last record ends the sentence "The search …". */
export function outcomeOf(end) {
  if (end.reason && end.reason !== OUR_WISH) return `was ended (${end.reason})`;
  if (end.outcome === "failed") return `failed: ${new Refusal(end.error).message}`;
  const words = {
    exhausted: "is complete",
    limited: "ended at its limit",
    "timed out": "ran out of time",
    cancelled: "was cancelled",
    lost: "broke off",
  };
  return words[end.outcome] ?? `ended: ${end.outcome}`;
}
