import { createServer } from "node:http";
import { expect, test } from "vitest";
import { waitUntilHealthy } from "#scripts/deploy/health.ts";
import { freePort } from "#scripts/lib/ports.ts";
import { listen } from "#tests/support/listen.ts";

const healthy = { ok: true, version: "new", checks: { d1: "ok", kv: "ok" } };

/** Serves the given responses in turn, repeating the last one. */
async function site(...responses: [status: number, body: unknown][]): Promise<string> {
  const server = createServer((_, response) => {
    const [status, body] = (responses.length > 1 ? responses.shift() : responses[0]) ?? [500, ""];
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

function check(origin: string, patience = 0) {
  const lines: string[] = [];
  const progress = (line: string) => lines.push(line);
  return { done: waitUntilHealthy({ origin, version: "new", patience, pause: 5, progress }), lines };
}

test("it waits until the new version responds, and reports each problem once", async () => {
  const old = { ...healthy, version: "old" };
  const { done, lines } = check(await site([404, "nothing here"], [200, old], [200, old], [200, healthy]), 60_000);
  await done;
  expect(lines).toEqual(["status 404: nothing here", "the previous version is still responding"]);
});

test.each<[string, number, unknown, string]>([
  ["a store fails", 503, { ...healthy, ok: false, checks: { d1: "failed", kv: "ok" } }, '"d1":"failed"'],
  ["the configuration fails", 500, "LINK_SECRET: is not set", "status 500: LINK_SECRET: is not set"],
  ["another site responds", 200, "<h1>Parked</h1>", "<h1>Parked</h1>"],
  ["the old version stays", 200, { ...healthy, version: "old" }, "the previous version is still responding"],
])("%s: it fails with the problem and what to do", async (_, status, body, problem) => {
  const { done } = check(await site([status, body]));
  await expect(done).rejects.toThrow(problem);
  await expect(done).rejects.toThrow("npx wrangler rollback");
});

test("a refused connection is reported", async () => {
  await expect(check(`http://127.0.0.1:${await freePort()}`).done).rejects.toThrow("no connection (ECONNREFUSED)");
});
