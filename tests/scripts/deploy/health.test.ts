import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { awaitHealth } from "#scripts/deploy/health.ts";
import { freePort } from "#scripts/lib/ports.ts";

const well = { ok: true, version: "new", checks: { d1: "ok", kv: "ok" } };

/** Answers one after the other, the last one for good. */
async function site(...answers: [status: number, body: unknown][]): Promise<string> {
  const server = createServer((_, response) => {
    const [status, body] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500, ""];
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(origin: string, patience = 0) {
  const progress: string[] = [];
  const asked = awaitHealth({ origin, version: "new", patience, pause: 5, progress: (line) => progress.push(line) });
  return { asked, progress };
}

test("it waits until the new version answers, and tells each change once", async () => {
  const old = { ...well, version: "old" };
  const { asked, progress } = ask(await site([404, "nothing here"], [200, old], [200, old], [200, well]), 60_000);
  await asked;
  expect(progress).toEqual(["status 404: nothing here", "the version before still answers"]);
});

test.each<[string, number, unknown, string]>([
  ["a store fails", 503, { ...well, checks: { d1: "failed", kv: "ok" } }, "the database (D1) does not answer"],
  [
    "the configuration fails",
    500,
    "This site is not configured yet.\nLINK_SECRET: is not set",
    "LINK_SECRET: is not set",
  ],
  ["another site answers", 200, "<h1>Parked</h1>", "<h1>Parked</h1>"],
  ["the old version stays", 200, { ...well, version: "old" }, "the version before still answers"],
])("%s: it gives up with what it saw, and what to do", async (_, status, body, said) => {
  const error = await ask(await site([status, body])).asked.catch((reason: Error) => reason.message);
  expect(error).toContain(said);
  expect(error).toContain("npx wrangler rollback");
});

test("nobody listens: so it says", async () => {
  await expect(ask(`http://127.0.0.1:${await freePort()}`).asked).rejects.toThrow("no connection (ECONNREFUSED)");
});
