import type { DatabaseSync } from "node:sqlite";
import { rejoinSubject } from "#app/email/templates/entry-emails.server.ts";
import { localSecrets } from "#app/server/config/local-secrets.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import type { Exchange } from "#scripts/soak/requests.ts";

/** The result of a soak. It passes when all losses are empty. */
export interface Verdict {
  stats: Record<string, number>;
  losses: Record<string, string[]>;
}

/** With the hash of each address: only hashes of suppressed addresses are stored. */
const exchangesTable = `CREATE TABLE exchanges AS SELECT value ->> 'kind' AS kind, value ->> 'email' AS email,
  value ->> 'hash' AS hash, value ->> 'status' AS status, value ->> 'body' AS body, value ->> 'sentAt' AS sent_at,
  value ->> 'at' AS at FROM json_each(?)`;

const acceptedTable = `CREATE TABLE accepted AS SELECT value ->> 'to' AS email, value ->> 'subject' AS subject,
  value -> 'tags' ->> 'letter' AS letter, value ->> 'at' AS at FROM json_each(?)`;

const views = `
CREATE INDEX requests_about ON exchanges (email, kind);
CREATE INDEX emails_to ON accepted (email);
CREATE VIEW suppressed AS SELECT email FROM exchanges WHERE hash IN (SELECT address_hash FROM suppressions);
-- What ended email to an address: a report of the provider, or the use of a link. With when the person first came back.
CREATE TABLE departures AS SELECT kind, email, at, (SELECT min(sent_at) FROM exchanges AS later
  WHERE later.kind = 'return' AND later.email = exchanges.email AND later.sent_at > exchanges.at) AS returned
FROM exchanges WHERE kind IN ('email.complained', 'email.bounced', 'left', 'never', 'erased') AND status < 400;
CREATE INDEX departures_of ON departures (email);
-- Each of these returns may cause one more email.
CREATE VIEW undone AS SELECT * FROM departures WHERE kind IN ('left', 'erased') AND returned IS NOT NULL;
CREATE VIEW known AS SELECT email FROM waitlist_emails
UNION SELECT email FROM departures WHERE kind = 'erased' AND returned IS NULL;
-- Emails that wait for a limit or for the owner.
CREATE VIEW waiting AS SELECT id, entry_id FROM email_outbox WHERE done_at IS NULL AND dead_at IS NULL
AND reason IN ('send-limit', 'unverified-limit', 'sign-up-bounces');
CREATE VIEW letters_to AS SELECT email, letter FROM accepted WHERE letter IS NOT NULL;
-- Each email that was accepted after a departure, and whether the person had come back before.
CREATE TABLE unasked AS SELECT kind, email, subject, coalesce(returned <= accepted.at, 0) AS is_back,
  row_number() OVER (PARTITION BY departures.rowid ORDER BY accepted.rowid) AS nth
FROM departures JOIN accepted USING (email) WHERE accepted.at > departures.at;
`;

/** What finds each kind of loss. */
const losses = {
  "signed up but not listed":
    "SELECT email FROM exchanges WHERE (status = 201 OR kind IN ('new', 'duplicate')) AND email NOT IN known",
  "active but not emailed": `SELECT email FROM waitlist_emails WHERE status = 'active'
    AND id NOT IN (SELECT entry_id FROM waiting) AND email NOT IN (SELECT email FROM accepted WHERE letter IS NULL)`,
  "returned but not emailed": `SELECT DISTINCT email FROM undone WHERE email NOT IN suppressed
    AND NOT EXISTS (SELECT 1 FROM accepted WHERE accepted.email = undone.email AND accepted.at >= undone.returned)`,
  "emailed twice": `SELECT email FROM accepted WHERE letter IS NULL GROUP BY email
    HAVING count(*) > 1 + (SELECT count(*) FROM undone WHERE undone.email = accepted.email)`,
  "emailed but not listed": "SELECT DISTINCT email FROM accepted WHERE email NOT IN known",
  // Suppressed addresses get no email, and people who have left get no welcome.
  "email dead or waiting": `SELECT email_outbox.id FROM email_outbox LEFT JOIN waitlist_emails AS entry ON entry.id = entry_id
    WHERE done_at IS NULL AND email_outbox.id NOT IN (SELECT id FROM waiting)
    AND (dead_at AND reason IN ('complaint', 'address-refused') AND email IN suppressed) IS NOT TRUE
    AND (kind = 'welcome' AND status = 'unsubscribed') IS NOT TRUE`,
  "letter sent twice": "SELECT email FROM letters_to GROUP BY email, letter HAVING count(*) > 1",
  // If the outcome is unknown, the owner decides.
  "letter lost or not counted": `SELECT email FROM letter_recipients JOIN waitlist_emails ON id = entry_id
    WHERE state = 'pending' OR (state IN ('sent', 'unknown')) <> (email IN (SELECT email FROM letters_to))`,
  // People who come back after leaving may get one email that asks whether they want to rejoin; after an erasure they are new.
  "emailed after departure": `SELECT email || ' after ' || kind FROM unasked WHERE NOT is_back
    OR NOT (kind = 'erased' OR (kind = 'left' AND nth = 1 AND subject = '${rejoinSubject.replaceAll("'", "''")}'))`,
  "webhook lost":
    "SELECT email FROM exchanges WHERE kind IN ('email.complained', 'email.bounced') AND email NOT IN suppressed",
  "unexpected status": `SELECT email || ' ' || kind || ' ' || status || ' ' || substr(body, 1, 200) FROM exchanges
    WHERE NOT CASE WHEN kind IN ('new', 'duplicate', 'return') THEN status IN (201, 409)
      WHEN kind = 'flood' THEN status IN (201, 429) WHEN kind IN ('never', 'erased') THEN status = 303
      ELSE status = 200 END`,
};

/** Judges what was requested and what the provider accepted by the site's database, to which it adds tables. */
export async function judge(
  database: DatabaseSync,
  exchanges: Exchange[],
  accepted: AcceptedEmail[],
): Promise<Verdict> {
  const hashed = exchanges.map(async (one) => ({
    ...one,
    hash: await keyedHash("address:v1", one.email, localSecrets.HASH_KEY),
  }));
  database.prepare(exchangesTable).run(JSON.stringify(await Promise.all(hashed)));
  database.prepare(acceptedTable).run(JSON.stringify(accepted));
  database.exec(views);
  const select = (sql: string) => Array.from(database.prepare(sql).iterate(), (row) => Object.values(row));
  const count = (table: string) => Number(select(`SELECT count(*) FROM ${table}`)[0]?.[0]);
  return {
    stats: {
      ...Object.fromEntries(
        select("SELECT kind || ': ' || status, count(*) FROM exchanges GROUP BY 1 ORDER BY min(rowid)"),
      ),
      "repeated after a kill": exchanges.filter(({ failedRequests }) => failedRequests > 0).length,
      entries: count("waitlist_emails"),
      "emails accepted": accepted.length,
      "emails waiting": count("waiting"),
    },
    losses: Object.fromEntries(
      Object.entries(losses).map(([kind, sql]) => [kind, select(sql).map(([found]) => String(found))]),
    ),
  };
}
