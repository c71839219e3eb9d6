import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { answerGroups } from "#app/site.ts";
import { OWNER } from "#tests/support/pool/owner.ts";
import { apiSite } from "#tests/support/pool/site.ts";
import { db, freshStorageForEachTest, seedEntries } from "#tests/support/pool/start.ts";

freshStorageForEachTest();

test("the owner's list and overview go by role, also where another question comes first", async () => {
  await seedEntries(12, Date.now());
  const site = apiSite({ OWNER_EMAIL: OWNER } as Partial<Env>);
  const link = await createSignInLink(db, { siteUrl: env.SITE_URL, email: OWNER }, Date.now());
  const { headers } = await site.request(link, { method: "POST", headers: { Origin: env.SITE_URL } });
  const Cookie = headers.getSetCookie().join("; ");
  const page = async (path: string) => (await site.request(path, { headers: { Cookie } })).text();

  const list = await page("/owner/entries");
  const [parts = ""] = /<nav[^>]*aria-label="Parts of the list">.*?<\/nav>/s.exec(list) ?? [];
  for (const group of Object.values(answerGroups["role"] ?? {})) expect(parts).toContain(`>${group}</a>`);
  const columns = Array.from(list.matchAll(/<th scope="col"[^>]*>([^<]*)/g), ([, name]) => name);
  expect(columns).toEqual(["Address", "Joined", "Status", "Role", "Source", "Campaign"]);
  expect(list).toContain('<td class="words" data-label="Role">');

  const [shown] = (await page("/owner")).split("More groups");
  expect(shown).toContain("By role");
  expect(shown).not.toContain("By town");
});
