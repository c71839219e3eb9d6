import { afterEach, expect, test, vi } from "vitest";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { insist } from "#scripts/soak/requests.ts";

const running = Promise.resolve({ url: "http://localhost" } as RunningSite);
const site = () => running;
const about = { kind: "new", email: "ada@example.com" } as const;

afterEach(() => vi.unstubAllGlobals());

/** Answers one request after the other. */
function answer(...responses: [status: number, body: string][]): void {
  vi.stubGlobal("fetch", async () => {
    const [status, body] = responses.shift() ?? [404, ""];
    return new Response(body, { status });
  });
}

test("a request whose connection Wrangler's proxy lost is repeated", async () => {
  const lost: [number, string] = [500, "Error: Network connection lost."];
  answer(lost, lost, [201, "{}"]);
  expect(await insist(site, about, "/", {})).toMatchObject({ status: 201, body: "{}", failedRequests: 2 });
});

test.each([
  [500, "Something went wrong here."],
  [503, "Network connection lost"],
])("another failure of the site is an answer: %i %s", async (status, text) => {
  answer([status, text], [201, "{}"]);
  expect(await insist(site, about, "/", {})).toMatchObject({ status, body: text, failedRequests: 0 });
});
