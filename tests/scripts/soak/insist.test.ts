import { expect, test } from "vitest";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { insist } from "#scripts/soak/insist.ts";

const running = Promise.resolve({ url: "http://localhost" } as RunningSite);
const site = () => running;

/** Answers one request after the other. */
function answers(...responses: [status: number, body: string][]) {
  return async () => {
    const [status, body] = responses.shift() ?? [404, ""];
    return new Response(body, { status });
  };
}

test("a request whose connection Wrangler's proxy lost is repeated", async () => {
  const lost: [number, string] = [500, "Error: Network connection lost."];
  const { response, failedRequests } = await insist(site, answers(lost, lost, [201, "{}"]));
  expect([response.status, failedRequests]).toEqual([201, 2]);
});

test.each([
  [500, "Something went wrong here."],
  [503, "Network connection lost"],
])("another failure of the site is an answer: %i %s", async (status, text) => {
  const { response, body, failedRequests } = await insist(site, answers([status, text], [201, "{}"]));
  expect([response.status, body, failedRequests]).toEqual([status, text, 0]);
});
