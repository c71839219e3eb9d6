import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { chromium } from "@playwright/test";
import { atMost, type Outcome } from "#scripts/bench/measurement.ts";
import { apiViews, ownerViews, timeViews, type View, viewLimits } from "#scripts/bench/owner-views.ts";
import { CHROMIUM_FLAGS, requireChromium } from "#scripts/lib/chromium.ts";
import { databaseFile } from "#scripts/lib/local-database.ts";
import { signIn, startOwnerSite } from "#scripts/lib/owner-site.ts";

/** How many of the slowest views the table names. */
const SLOWEST = 10;

const ENTRIES = 1_000_000;

/** A key of the API. */
const KEY = `swk_${"k".repeat(43)}`;

/** Times the owner's overview and list, and the API's list, with many entries. */
export async function measure(): Promise<Outcome> {
  await using site = await startOwnerSite(ENTRIES, { WORKERS_PLAN: "paid" });
  const file = databaseFile(site.persistTo);
  importSome(file);
  addKey(file);
  await using browser = await chromium.launch({ executablePath: await requireChromium(), args: CHROMIUM_FLAGS });
  const page = await browser.newPage();
  await signIn(page, site);
  const time = async (views: View[]) =>
    (await timeViews(page, site.url, views)).toSorted((one, other) => other.median - one.median);
  const views = await time(ownerViews(ENTRIES));
  await page.setExtraHTTPHeaders({ Authorization: `Bearer ${KEY}` });
  const [slowestList] = await time(apiViews);
  const count = `${ENTRIES.toLocaleString("en-GB")} entries`;
  const figures = Object.entries(viewLimits).map(([kind, limit]) => {
    const slowest = views.find((view) => view.kind === kind)?.median ?? Number.NaN;
    return atMost(`owner's pages, slowest ${kind}, ${count}`, slowest, limit, "ms");
  });
  const api = slowestList?.median ?? Number.NaN;
  figures.push(atMost(`API, slowest page of the list, ${count}`, api, viewLimits["list or entry"], "ms"));
  const rows = views.slice(0, SLOWEST).map(({ name, kind, median }) => ({ page: name, kind, ms: median }));
  return { figures, tables: { [`The slowest of ${views.length} owner's pages with ${count}`]: rows } };
}

function addKey(file: string): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  database
    .prepare("INSERT INTO api_keys (name, hash, scopes, created_at) VALUES ('bench', ?, '[\"entries:read\"]', 0)")
    .run(hash("sha256", KEY));
}

/** Imports have brought in every tenth person, who joined up to 300 days earlier, and every fourth was invited. */
function importSome(file: string): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`UPDATE waitlist_emails
      SET import_id = 1, source = 'import', created_at = created_at - 86400000 * (id * 7919 % 300) WHERE id % 10 = 4;
    UPDATE waitlist_emails SET invited_at = created_at WHERE id % 4 = 0`);
}
