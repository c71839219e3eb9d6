import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { wrangler } from "#scripts/lib/wrangler.ts";

const call = { what: "Listing the databases", env: {} };

test("Cloudflare takes the request and never answers: the call ends, and says so", async () => {
  const server = createServer(() => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: "a-token", CLOUDFLARE_ACCOUNT_ID: "an-account" };
  await expect(wrangler(["d1", "list", "--config", "wrangler.toml"], { ...call, env, limit: 1_500 })).rejects.toThrow(
    /Listing the databases failed\.\n\n {2}Wrangler did not end within 1\.5 seconds\.\n\nCheck the connection/,
  );
});

test("what Wrangler said is told without its banner, its colours and the line about logs", async () => {
  const said = await wrangler(["d1", "lost"], call).catch((error: Error) => error.message);
  expect(said).toMatch(/Unknown arguments?: lost/);
  expect(said).not.toMatch(/[^\P{Cc}\n]|⛅️|Logs were written/u);
});
