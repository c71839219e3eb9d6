import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { chromium } from "@playwright/test";
import { atMost, type Outcome } from "#scripts/bench/measurement.ts";
import { apiViews, ownerViews, timeViews, viewLimits } from "#scripts/bench/owner-views.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";

const ENTRIES = 1_000_000;
/** Of the API. */
const KEY = `swk_${"k".repeat(43)}`;

/** Times the owner's overview and list, and the API's list, with many entries. */
export async function measure(): Promise<Outcome> {
  await using site = await startOwnerSite(ENTRIES, { WORKERS_PLAN: "paid" });
  addSome(databaseFile(site.persistTo));
  await using browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
  const page = await browser.newPage();
  await signIn(page, site);
  const owners = await timeViews(page, site.url, ownerViews(ENTRIES));
  await page.setExtraHTTPHeaders({ Authorization: `Bearer ${KEY}` });
  const views = [...owners, ...(await timeViews(page, site.url, apiViews))].toSorted((a, b) => b.median - a.median);
  const count = `${ENTRIES.toLocaleString("en-GB")} entries`;
  const figures = Object.entries(viewLimits).map(([kind, limit]) => {
    const slowest = views.find((view) => view.kind === kind)?.median ?? Number.NaN;
    return atMost(`owner's pages, slowest ${kind}, ${count}`, slowest, limit, "ms");
  });
  const rows = views.slice(0, 10).map(({ name, kind, median }) => ({ page: name, kind, ms: median }));
  return { figures, tables: { [`The slowest of ${views.length} owner's pages with ${count}`]: rows } };
}

/** A key. Imports have brought in every tenth person, who joined up to 300 days earlier, and every fourth was invited. */
function addSome(file: string): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`UPDATE waitlist_emails
      SET import_id = 1, source = 'import', created_at = created_at - 86400000 * (id * 7919 % 300) WHERE id % 10 = 4;
    UPDATE waitlist_emails SET invited_at = created_at WHERE id % 4 = 0;
    INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('bench', '${hash("sha256", KEY)}', '["entries:read"]', 0)`);
}
