// Talking to the service: problem documents, streams of records, the token.

/** What the service refused, and where the text is wrong. */
export class Refusal extends Error {
  constructor({ title, detail, line, text, caret }) {
    // What follows in the detail is the place once more.
    super([title, detail?.split("\n")[0]].filter(Boolean).join(": "));
    this.place = caret ? `line ${line}\n${text}\n${caret}` : "";
  }
}

export function urlOf(path) {
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
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await fetch(urlOf(path), {
    method: "POST",
    headers,
    body: JSON.stringify(order),
    signal,
  });
  if (!response.ok) throw new Refusal(await documentOf(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) yield JSON.parse(line);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function documentOf(response) {
  try {
    return await response.json();
  } catch {
    return { title: `The service answered ${response.status}` };
  }
}

/** How a last record ends the sentence "The search …". */
export function outcomeOf(end) {
  if (end.outcome === "failed") return `failed: ${new Refusal(end.error).message}`;
  const words = {
    exhausted: "is complete",
    limited: "ended at its limit",
    "timed out": "ran out of time",
    cancelled: "was cancelled",
  };
  return words[end.outcome] ?? `ended: ${end.outcome}`;
}
