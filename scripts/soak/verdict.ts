import { DatabaseSync } from "node:sqlite";
import { rejoinSubject } from "#app/email/templates/rejoin-email.server.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import type { Exchange } from "#scripts/soak/requests.ts";

type Row = Record<string, unknown>;

export interface Evidence {
  exchanges: Exchange[];
  entries: Row[];
  outbox: Row[];
  /** Of the letter, by address. */
  recipients: Row[];
  accepted: AcceptedEmail[];
  /** Addresses that are suppressed in the end. */
  suppressed: Set<string>;
}

/** The result of a soak. It passes when all losses are empty. */
export interface Verdict {
  stats: Record<string, number>;
  losses: Record<string, string[]>;
}

/** The columns of the evidence's tables. */
const columns = {
  exchanges: ["kind", "email", "forged", "status", "body", "failedRequests", "sentAt", "at"],
  entries: ["id", "email", "status"],
  outbox: ["id", "entry_id", "kind", "reason", "sent_at", "dead_at"],
  recipients: ["email", "state"],
  accepted: ["email", "subject", "at", "letter"],
  suppressed: ["email"],
};

const views = `
CREATE INDEX requests_about ON exchanges (email, kind);
CREATE INDEX emails_to ON accepted (email);
-- Each exchange with its name, whether its status is expected, and when the person first entered the address again.
CREATE TABLE replies AS SELECT *,
  kind || iif(forged, ', forged', '') || ': ' || status AS name,
  CASE
    WHEN kind IN ('new', 'duplicate', 'return') THEN status IN (201, 409)
    WHEN kind = 'flood' THEN status IN (201, 429)
    WHEN kind = 'invalid' THEN status = 422
    WHEN kind IN ('never', 'erased') THEN status = 303
    ELSE status = iif(forged, 401, 200)
  END AS is_expected,
  (SELECT min(sentAt) FROM exchanges AS later WHERE later.kind = 'return' AND later.email = exchanges.email) AS returned
FROM exchanges;
-- What ended email to an address: a report of the provider, or the use of a link.
CREATE TABLE departures AS SELECT *, coalesce(returned > at, 0) AS came_back FROM replies
WHERE kind IN ('email.complained', 'email.bounced', 'left', 'never', 'erased') AND forged IS NOT TRUE AND is_expected;
CREATE INDEX departures_of ON departures (email);
-- Each of these returns may cause one more email.
CREATE VIEW undone AS SELECT * FROM departures WHERE kind IN ('left', 'erased') AND came_back;
CREATE VIEW known AS SELECT email FROM entries
UNION SELECT email FROM departures WHERE kind = 'erased' AND NOT came_back;
-- Emails that wait for a limit or for the owner.
CREATE VIEW waiting AS SELECT id, entry_id FROM outbox WHERE sent_at IS NULL AND dead_at IS NULL
AND reason IN ('send-limit', 'unverified-limit', 'sign-up-bounces');
CREATE VIEW letters AS SELECT email, letter FROM accepted WHERE letter IS NOT NULL;
-- Each email that was accepted after a departure, and whether the person had come back before.
CREATE TABLE unasked AS SELECT departures.kind, email, subject,
  came_back AND returned <= accepted.at AS is_back,
  row_number() OVER (PARTITION BY departures.rowid ORDER BY accepted.rowid) AS nth
FROM departures JOIN accepted USING (email) WHERE accepted.at > departures.at;
`;

/** What finds each kind of loss. */
const losses = {
  "201 response but not listed":
    "SELECT email FROM exchanges WHERE kind <> 'return' AND status = 201 AND email NOT IN known",
  "submitted but not listed": "SELECT email FROM exchanges WHERE kind IN ('new', 'duplicate') AND email NOT IN known",
  "listed twice": "SELECT email FROM entries GROUP BY email HAVING count(*) > 1",
  "two 201 responses":
    "SELECT email FROM exchanges WHERE kind <> 'return' AND status = 201 GROUP BY email HAVING count(*) > 1",
  "active but not emailed": `SELECT email FROM entries WHERE status = 'active' AND id NOT IN (SELECT entry_id FROM waiting)
    AND email NOT IN (SELECT email FROM accepted WHERE letter IS NULL)`,
  // Suppression or another departure since the return rules an email out.
  "returned but not emailed": `SELECT DISTINCT email FROM undone WHERE email NOT IN suppressed
    AND NOT EXISTS (SELECT 1 FROM departures AS later WHERE later.email = undone.email AND later.at > undone.returned)
    AND NOT EXISTS (SELECT 1 FROM accepted WHERE accepted.email = undone.email AND accepted.at >= undone.returned)`,
  "emailed twice": `SELECT email FROM accepted WHERE letter IS NULL GROUP BY email
    HAVING count(*) > 1 + (SELECT count(*) FROM undone WHERE undone.email = accepted.email)`,
  "emailed but not listed": "SELECT DISTINCT email FROM accepted WHERE email NOT IN known",
  // Suppressed addresses get no email, and people who have left get no welcome.
  "email dead or waiting": `SELECT outbox.id FROM outbox LEFT JOIN entries ON entries.id = entry_id
    WHERE sent_at IS NULL AND outbox.id NOT IN (SELECT id FROM waiting)
    AND (dead_at AND reason IN ('complaint', 'address-refused') AND email IN suppressed) IS NOT TRUE
    AND (kind = 'welcome' AND status = 'unsubscribed') IS NOT TRUE`,
  "letter sent twice": "SELECT email FROM letters GROUP BY email, letter HAVING count(*) > 1",
  // If the outcome is unknown, the owner decides.
  "letter lost": `SELECT email FROM recipients
    WHERE state = 'pending' OR (state IN ('sent', 'unknown') AND email NOT IN (SELECT email FROM letters))`,
  "letter sent but not counted": `SELECT email FROM recipients
    WHERE state IN ('skipped', 'failed') AND email IN (SELECT email FROM letters)`,
  "emailed after a complaint": "SELECT email FROM unasked WHERE kind = 'email.complained'",
  "emailed after a bounce": "SELECT email FROM unasked WHERE kind = 'email.bounced'",
  // People who come back may get one email that asks whether they want to rejoin.
  "emailed after leaving": `SELECT email FROM unasked
    WHERE kind = 'left' AND NOT (is_back AND nth = 1 AND subject = '${rejoinSubject.replaceAll("'", "''")}')`,
  "emailed after asking for no email": "SELECT email FROM unasked WHERE kind = 'never'",
  // People who come back after an erasure are new.
  "emailed after erasure": "SELECT email FROM unasked WHERE kind = 'erased' AND NOT is_back",
  "forged webhook believed": "SELECT email FROM exchanges WHERE forged AND (status < 400 OR email IN suppressed)",
  "webhook lost": `SELECT email FROM exchanges
    WHERE kind IN ('email.complained', 'email.bounced') AND forged IS NOT TRUE AND email NOT IN suppressed`,
  "unexpected status": "SELECT email || ' ' || name || ' ' || substr(body, 1, 200) FROM replies WHERE NOT is_expected",
};

export function judge(evidence: Evidence): Verdict {
  using database = new DatabaseSync(":memory:");
  const rows = {
    ...evidence,
    accepted: evidence.accepted.map((one) => ({ ...one, email: one.to, letter: one.tags["letter"] ?? null })),
    suppressed: Array.from(evidence.suppressed, (email) => ({ email })),
  };
  for (const [table, names] of Object.entries(columns)) {
    const values = names.map((name) => `value ->> '${name}' AS ${name}`).join(", ");
    const json = JSON.stringify(rows[table as keyof typeof rows]);
    database.prepare(`CREATE TABLE ${table} AS SELECT ${values} FROM json_each(?)`).run(json);
  }
  database.exec(views);
  const select = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  return {
    stats: {
      ...Object.fromEntries(select("SELECT name, count(*) FROM replies GROUP BY name ORDER BY min(rowid)")),
      "repeated after a kill": evidence.exchanges.filter(({ failedRequests }) => failedRequests > 0).length,
      entries: evidence.entries.length,
      "emails accepted": evidence.accepted.length,
      "emails waiting": Number(select("SELECT count(*) FROM waiting")[0]?.[0]),
    },
    losses: Object.fromEntries(
      Object.entries(losses).map(([kind, sql]) => [kind, select(sql).map(([found]) => String(found))]),
    ),
  };
}
