import { createServer } from "node:http";
import { expect, test } from "vitest";
import { wrangler } from "#scripts/lib/wrangler.ts";
import { listen } from "#tests/support/listen.ts";

const call = { step: "Listing the databases", env: {} };

test("a call fails with a timeout when Cloudflare never responds", async () => {
  const url = `http://127.0.0.1:${await listen(createServer(() => {}))}`;
  const env = { CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: "a-token", CLOUDFLARE_ACCOUNT_ID: "an-account" };
  await expect(wrangler(["d1", "list", "--config", "wrangler.toml"], { ...call, env, timeout: 1_500 })).rejects.toThrow(
    /Listing the databases failed\.\n\n {2}Wrangler did not finish within 1\.5 seconds\.\n\nCheck your internet connection/,
  );
});

test("Wrangler's error is shown without banner, colours and the line about logs", async () => {
  const message = await wrangler(["d1", "lost"], call).catch((error: Error) => error.message);
  expect(message).toMatch(/Unknown arguments?: lost/);
  expect(message).not.toMatch(/[^\P{Cc}\n]|⛅️|Logs were written/u);
});
