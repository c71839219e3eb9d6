// Keeps a table of contacts in step with the waitlist, in both directions: see docs/api.md. For Node 24.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

const { SITE, KEY, WEBHOOK_SECRET, CRM = "crm.db", PORT = "8080", EVERY = "60" } = process.env;

// What people change in the CRM waits in `outgoing`: POST '' adds a contact, PATCH '', POST '/unsubscribe' or DELETE '' change it.
const crm = new DatabaseSync(CRM, { timeout: 5_000 });
crm.exec(`
  CREATE TABLE IF NOT EXISTS contacts
    (id INTEGER PRIMARY KEY, entry_id INTEGER UNIQUE, email TEXT, status TEXT, note TEXT, seen INTEGER DEFAULT 1);
  CREATE TABLE IF NOT EXISTS outgoing (id INTEGER PRIMARY KEY, contact INTEGER, method TEXT, action TEXT, body TEXT);
  CREATE TABLE IF NOT EXISTS position (cursor TEXT)`);
const run = (sql, ...values) => crm.prepare(sql).run(...values);
const store = crm.prepare(`INSERT INTO contacts (entry_id, email, status, note) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET email = excluded.email, status = excluded.status, note = excluded.note, seen = 1`);

async function call(method, path, body = undefined) {
  const headers = { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" };
  const response = await fetch(`${SITE}/api/v1${path}`, { method, headers, body });
  if (response.status !== 429 && response.status !== 503)
    return [response.status, response.status === 204 ? null : await response.json()];
  await sleep(1_000 * Number(response.headers.get("Retry-After") ?? 5));
  return call(method, path, body);
}

async function sendChanges() {
  for (const { id, contact, method, action, body } of crm.prepare("SELECT * FROM outgoing ORDER BY id").all()) {
    const entryId = crm.prepare("SELECT entry_id FROM contacts WHERE id = ?").get(contact)?.entry_id;
    const isNew = method === "POST" && action === "";
    // Without an entry, the person was refused or erased, and there is nothing to change.
    if (isNew || entryId) {
      const [status, result] = await call(method, isNew ? "/entries" : `/entries/${entryId}${action}`, body);
      const isGone = !isNew && status === 404 && result.code === "not-found";
      if (status === 204 || isGone) run("DELETE FROM contacts WHERE id = ?", contact);
      else if (status === 409 || status === 422) console.error(`Contact ${contact}: ${result.detail}`);
      else if (status >= 300) throw new Error(result.detail);
      // OR REPLACE: the person may have joined on the site, too.
      else
        run("UPDATE OR REPLACE contacts SET entry_id = ?, status = ? WHERE id = ?", result.id, result.status, contact);
    }
    run("DELETE FROM outgoing WHERE id = ?", id);
  }
}

async function getChanges() {
  let cursor = crm.prepare("SELECT cursor FROM position").get()?.cursor;
  for (let isLast = false; !isLast; ) {
    const [status, page] = await call("GET", `/entries?order=changed&limit=100${cursor ? `&cursor=${cursor}` : ""}`);
    if (status !== 200 && status !== 410) throw new Error(page.detail);
    isLast = page.next_cursor === null;
    crm.exec("BEGIN IMMEDIATE");
    if (status === 410) run("UPDATE contacts SET seen = 0 WHERE entry_id IS NOT NULL");
    for (const { id, email, status, note } of page.entries ?? []) store.run(id, email, status, note);
    for (const id of page.erased ?? []) run("DELETE FROM contacts WHERE entry_id = ?", id);
    // After a 410: those who did not come again were erased meanwhile.
    if (isLast) run("DELETE FROM contacts WHERE seen = 0");
    cursor = page.next_cursor ?? page.sync_cursor ?? null;
    run("DELETE FROM position");
    run("INSERT INTO position VALUES (?)", cursor);
    crm.exec("COMMIT");
  }
}

const [connection] = await call("GET", "/key");
if (connection !== 200) throw new Error(`${SITE}/api/v1/key responds with ${connection}: check SITE and KEY.`);

let wake = () => {};

// An event only says that there is something to get, so it may come late, twice, in any order or not at all.
function receiveEvents(webhook) {
  const receiver = createServer(async (request, response) => {
    try {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) {
        body += chunk;
        if (body.length > 100_000) throw new Error("The body is too large.");
      }
      webhook.verify(body, request.headers);
    } catch {
      return response.writeHead(401).end();
    }
    wake();
    return response.writeHead(204).end();
  });
  receiver.listen(PORT);
}
if (WEBHOOK_SECRET) receiveEvents(new Webhook(WEBHOOK_SECRET));

for (;;) {
  const woken = new Promise((resolve) => (wake = resolve));
  await sendChanges().then(getChanges).catch(console.error);
  await Promise.race([woken, sleep(1_000 * EVERY)]);
}
