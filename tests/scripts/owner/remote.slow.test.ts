import { expect, test } from "vitest";
import { cloudflare, remoteWaitlistForEachTest, uploadWorker } from "#tests/support/cloudflare/remote-waitlist.ts";
import { runScript } from "#tests/support/run-script.ts";
import { dumpDatabase } from "#tests/support/waitlist-file.ts";

remoteWaitlistForEachTest();

test("from a terminal, --remote signs in with Wrangler and finds the account's database and Worker by name", async () => {
  const exported = await runScript("owner", ["export", "--remote", "--everyone"], { env: cloudflare.env });
  expect(exported).toMatchObject({ code: 0, err: "3 entries\n" });
  expect(exported.out.trimEnd().split("\r\n")).toHaveLength(4);
  const vars = { SITE_URL: "https://market.test", OWNER_EMAIL: "ada@market.test" };
  await uploadWorker(Object.entries(vars).map(([name, text]) => ({ name, type: "plain_text", text })));
  // Neither LINK_SECRET nor deploy.env is needed.
  const { code, out, err } = await runScript("owner", ["sign-in", "--remote"], { env: cloudflare.env });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [, token = ""] = /^https:\/\/market\.test\/owner\/sign-in\/([\w-]{20,})$/m.exec(out) ?? [];
  expect(token).not.toBe("");
  expect(dumpDatabase(cloudflare.database("waitlist-site").sqlite)).not.toContain(token);
});
