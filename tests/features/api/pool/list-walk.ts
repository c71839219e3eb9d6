import type { CopiedEntry } from "#tests/features/api/pool/crm.ts";
import { meteredD1 } from "#tests/support/pool/d1.ts";
import { unlimitedRates } from "#tests/support/pool/failures.ts";
import { apiSite } from "#tests/support/pool/site.ts";

export interface WalkedEntry extends CopiedEntry {
  note: string | null;
  status: string;
  answers: Record<string, string>;
}

interface WalkedPage {
  entries: WalkedEntry[];
  erased: number[];
  next_cursor: string | null;
  sync_cursor: string | null;
}

/** A program that keeps a copy of the list with `order=changed`, and what its pages cost. */
export function listWalk(key: string) {
  const meter = meteredD1();
  const site = apiSite({ ...unlimitedRates, DB: meter.d1 });
  const copy = new Map<number, WalkedEntry>();
  const seen = new Map<number, number>();
  const rowsRead: number[] = [];

  /** Reads one page and applies it to the copy. */
  async function page(query: Record<string, string>): Promise<WalkedPage> {
    meter.reset();
    const path = `/api/v1/entries?${new URLSearchParams({ order: "changed", ...query })}`;
    const response = await site.request(path, { headers: { Authorization: `Bearer ${key}` } });
    if (response.status !== 200) throw new Error(await response.text());
    const read = await response.json<WalkedPage>();
    rowsRead.push(meter.rowsRead());
    for (const entry of read.entries) {
      copy.set(entry.id, entry);
      seen.set(entry.id, (seen.get(entry.id) ?? 0) + 1);
    }
    for (const id of read.erased) copy.delete(id);
    return read;
  }

  return {
    copy,
    /** How often each entry was on a page. */
    seen,
    /** Of each page. */
    rowsRead,
    /** Walks to the end. `between` runs after each page but the last. @returns the pages, and the cursor for the next time */
    async walk(query: Record<string, string>, between: (page: number) => Promise<unknown> = async () => {}) {
      const pages: WalkedPage[] = [];
      const { limit = "50" } = query;
      for (let position = query; ; ) {
        const read = await page(position);
        pages.push(read);
        if (read.next_cursor === null) return { pages, sync: read.sync_cursor ?? "" };
        await between(pages.length);
        position = { limit, cursor: read.next_cursor };
      }
    },
  };
}
