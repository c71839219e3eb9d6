import { Agent, request } from "node:http";
import { expect, test } from "#tests/support/browser/test.ts";

test("after an oversized body the connection works for the next sign-up", async ({ site }) => {
  // One keep-alive connection, as browsers use.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (path: string, type: string, body: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { "Content-Type": type, "Content-Length": Buffer.byteLength(body) };
      const outgoing = request(site.url + path, { agent, method: "POST", headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      });
      outgoing.on("error", reject).end(body);
    });

  for (const [n, size] of [5_000, 500_000].entries()) {
    expect(await post("/api/signup", "application/json", "x".repeat(size))).toBe(413);
    expect(await post("/api/signup", "application/json", `{"email":"after-large${n}@example.com"}`)).toBe(201);
    expect(await post("/", "application/x-www-form-urlencoded", `email=${"x".repeat(size)}`)).toBe(413);
    expect(await post("/", "application/x-www-form-urlencoded", `email=after-form${n}@example.com`)).toBe(201);
  }
  agent.destroy();
});
