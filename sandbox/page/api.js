// Requests to the sandbox's control interface (docs/sandbox.md). Every fault becomes an Error with the server's words.

/** Read something below /control; `query` holds its parameters. */
export async function get(path, query = {}) {
  const parameters = new URLSearchParams(query).toString();
  return answer(await fetch(`/control/${path}${parameters ? `?${parameters}` : ""}`));
}

/** Do something below /control. */
export async function post(path, body) {
  return answer(
    await fetch(`/control/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

async function answer(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error(body?.error ?? `${response.status} ${response.statusText}`);
  return body;
}
