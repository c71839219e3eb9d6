import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { postMegabytes } from "#tests/support/pool/large-body.ts";
import { ownerBrowser, signedInBrowser } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

const browser = signedInBrowser();

test.each([
  ["without a cookie", {}],
  ["with a made-up cookie", { Cookie: "__Host-owner=x; owner=x" }],
  ["larger than allowed, with the cookie of an expired session", null],
])("a body of 20 MB, %s, is not read", async (_, headers) => {
  await env.DB.exec("DELETE FROM owner_sessions");
  for (const path of ["/owner/import", "/owner/letters", "/owner/letters/1", "/owner/entries/1"]) {
    const sender = headers === null ? browser : ownerBrowser();
    const { status, read } = await postMegabytes(sender, path, 20, { headers: headers ?? {} });
    expect([status, read < 4], path).toEqual([403, true]);
  }
});
