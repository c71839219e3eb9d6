import { sql } from "drizzle-orm";
import type { FileStatus } from "#app/features/import/file/email-status.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { runNamed } from "#app/server/db/sql-batch.server.ts";
import { isKeptOut } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Someone in a file. */
export interface Person {
  status: FileStatus;
  /** Whether the file has no date of joining or consent, so that they join with the import. */
  isUndated: boolean;
  /** The questions that the file answers, if people on the list are given these answers. */
  answered: string[];
}

/** What would become of the people of a file. */
export type Foreseen = Awaited<ReturnType<typeof foresee>>;

/** How many entries are shown that are active here and opted out according to the file. */
const SHOWN_OPTED_OUT = 20;

/** People whom one statement looks up: at most 350 bytes each, and 180 for the keys of questions, of the 2 MB that D1 takes. */
const LOOKED_UP = 3_500;

/** @param deps without a hash key, `keptOut` is not known. @param settings whether those who opted out are unsubscribed */
export async function foresee(
  { db, hashKey }: { db: Db; hashKey: string },
  people: Map<string, Person>,
  { unsubscribe }: { unsubscribe: boolean },
  now: EpochMillis,
) {
  const fates = {
    active: 0,
    unsubscribed: 0,
    bounced: 0,
    complained: 0,
    unchanged: 0,
    filled: 0,
    optedOut: 0,
    keptOut: 0,
  };
  const entries: number[] = [];
  let undated = 0;
  const anyKeptOut = sql`SELECT 1 FROM suppressions UNION ALL SELECT 1 FROM erased_addresses LIMIT 1`;
  // Hashes take CPU time.
  const isHashed = hashKey !== "" && (await db.all(anyKeptOut)).length > 0;
  const toRow = async ([email, { status, isUndated, answered }]: [string, Person]) => {
    return [email, status, isUndated, isHashed ? await keyedHash("address:v1", email, hashKey) : null, answered];
  };
  const all = [...people];
  for (let at = 0; at < all.length; at += LOOKED_UP) {
    const rows = JSON.stringify(await Promise.all(all.slice(at, at + LOOKED_UP).map(toRow)));
    type Found = { fate: keyof typeof fates; people: number; undated: number; entries: string };
    const statement = { text: FORESEE, values: { rows }, parts: { is_kept_out: isKeptOut(sql`value ->> 3`, now) } };
    for (const found of await runNamed<Found>(db, statement)) {
      fates[found.fate] += found.people;
      undated += found.undated;
      entries.push(...(JSON.parse(found.entries) as number[]));
    }
  }
  const { active, unchanged, filled, optedOut, keptOut, ...left } = fates;
  return {
    /** Added, and get email. */
    active,
    /** Added as unsubscribed, by what the file says. */
    left,
    /** How many of these join with the import. */
    undated,
    /** On the list already, and left as they are. */
    unchanged: unchanged + (unsubscribe ? 0 : optedOut),
    /** On the list, and given answers that they have not given. */
    filled,
    /** On the list and active here, although they opted out according to the file: how many, and the first entries. */
    optedOut: { people: optedOut, entries: entries.slice(0, SHOWN_OPTED_OUT) },
    /** Not added: their address gets no email, or they had left or erased their entry themselves. */
    keptOut,
  };
}

/** The same conditions as in the statements that import people. */
const FORESEE = `SELECT fate, count(*) AS people, json_group_array(id) FILTER (WHERE fate = 'optedOut') AS entries,
    sum(is_undated AND fate NOT IN ('unchanged', 'filled', 'optedOut', 'keptOut')) AS undated
  FROM (
    SELECT id, value ->> 2 AS is_undated, CASE
        WHEN status = 'active' AND value ->> 1 <> 'active' THEN 'optedOut'
        WHEN status = 'active' AND EXISTS (SELECT 1 FROM json_each(answered) AS given
          WHERE given.value NOT IN (SELECT key FROM json_each(coalesce(answers, '{}')))) THEN 'filled'
        WHEN id IS NOT NULL THEN 'unchanged'
        WHEN {is_kept_out} THEN 'keptOut'
        ELSE value ->> 1 END AS fate
    FROM (SELECT value, value -> 4 AS answered FROM json_each(:rows)) LEFT JOIN waitlist_emails ON email = value ->> 0)
  GROUP BY fate`;
