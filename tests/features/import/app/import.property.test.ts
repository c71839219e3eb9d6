import { env } from "cloudflare:test";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findImport } from "#app/features/import/imports.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { unsubscribeEntry } from "#app/waitlist/entries/entries.server.ts";
import { eraseEntry } from "#app/waitlist/entries/erase-entries.server.ts";
import { importHarness, NOW } from "#tests/features/import/pool/imports.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { db, emptyDatabase, execute, freshDatabaseForEachTest, join, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

type Entry = {
  id: number;
  email: string;
  status: string;
  import_id: number | null;
  unsubscribe_reason: string | null;
  answers: string;
};

const here = ["nowhere", "active", "unsubscribed", "suppressed", "listed and suppressed", "erased"] as const;
const reasons = Object.entries({ unsubscribed: "null", bounced: "bounce", complained: "complaint" });
const emailOf = (person: number) => `p${person}@example.com`;

async function add(person: number, state: (typeof here)[number]): Promise<void> {
  const hash = await keyedHash("address:v1", emailOf(person), env.HASH_KEY);
  if (state.includes("suppressed")) await execute("INSERT INTO suppressions VALUES (?, 'never', NULL, 0)", hash);
  if (state === "nowhere" || state === "suppressed") return;
  const id = await join(emailOf(person), { now: NOW - 1_000 });
  await execute("UPDATE waitlist_emails SET address_hash = ? WHERE id = ?", hash, id);
  if (state === "unsubscribed" || state === "erased") await unsubscribeEntry(db, id, NOW - 1);
  if (state === "erased") await eraseEntry(db, id, NOW - 1);
}

test("the numbers of the check are those of what then happens", async () => {
  const { check, confirm, run } = importHarness();
  const status = fc.constantFrom("active", "unsubscribed", "bounced", "complained");
  const row = fc.record({
    person: fc.nat(5),
    status,
    joined: fc.constantFrom("", "2026-10-05", "some day"),
    town: fc.constantFrom("", "York"),
    role: fc.constantFrom("", "host"),
  });
  const states = fc.array(fc.constantFrom(...here), { minLength: 6, maxLength: 6 });
  const lines = fc.array(row, { minLength: 1, maxLength: 12 });
  const given = fc.record({
    states,
    lines,
    unsubscribe: fc.boolean(),
    fill: fc.boolean(),
    atOnce: fc.integer({ min: 1, max: 5 }),
  });
  const property = fc.asyncProperty(given, async ({ states, lines, unsubscribe, fill, atOnce }) => {
    await emptyDatabase();
    for (const [person, state] of states.entries()) await add(person, state);
    // Everyone on the list has answered where they live.
    await execute(`UPDATE waitlist_emails SET answers = '{"town":"Leeds"}'`);
    const before = await rows<Entry>("waitlist_emails");
    const cells = lines.map((line) => [emailOf(line.person), line.status, line.joined, line.town, line.role].join());
    const { id, report } = await check(["email,status,joined,town,role", ...cells].join("\n"), { unsubscribe, fill });
    await confirm(id);
    for (let turn = 1; turn <= lines.length; turn += 1) await run(1, atOnce, NOW + turn);
    const after = await rows<Entry>("waitlist_emails");
    // Of those who want no email, nothing else has to be right.
    const valid = lines.filter((line) => line.status !== "active" || line.joined !== "some day");
    const people = new Set(valid.map(({ person }) => emailOf(person)));
    const wantsNone = new Set(valid.flatMap((line) => (line.status === "active" ? [] : [emailOf(line.person)])));
    const added = after.filter((entry) => entry.import_id === id);
    const left = Object.groupBy(added, (entry) => `${entry.status === "active" ? "active" : entry.unsubscribe_reason}`);
    const rowOf = (list: Entry[], entryId: number) => JSON.stringify(list.find((entry) => entry.id === entryId));
    const isSame = (entryId: number) => rowOf(before, entryId) === rowOf(after, entryId);
    const stayed = before.filter(({ id: own, email }) => people.has(email) && isSame(own));
    const optedOut = before.filter((entry) => entry.status === "active" && wantsNone.has(entry.email)).length;
    const unsubscribed = after.filter((entry) => entry.unsubscribe_reason === "import").length;
    const filled = before.filter(({ id: own, email }) => people.has(email) && !isSame(own) && !wantsNone.has(email));
    for (const { id: own } of filled) {
      const answers = JSON.parse(after.find((entry) => entry.id === own)?.answers ?? "{}");
      expect(answers).toEqual({ town: "Leeds", role: "host" });
    }
    const hosts = valid.filter(
      ({ person, role }, index) => role !== "" && valid.findIndex((line) => line.person === person) === index,
    );
    const mayFill = before.filter(
      ({ email, status: present }) => present === "active" && hosts.some(({ person }) => emailOf(person) === email),
    );
    expect(filled.length).toBe(fill ? mayFill.filter(({ email }) => !wantsNone.has(email)).length : 0);
    const keptOut = [...people].filter((email) => !after.some((entry) => entry.email === email)).length;
    expect(report).toMatchObject({
      people: people.size,
      active: left["active"]?.length ?? 0,
      left: Object.fromEntries(reasons.map(([name, reason]) => [name, left[reason]?.length ?? 0])),
      unchanged: stayed.length,
      optedOut: { people: optedOut },
      filled: filled.length,
      keptOut,
      leftOut: lines.length - people.size,
    });
    expect([report.first.length, unsubscribed]).toEqual([report.leftOut, unsubscribe ? optedOut : 0]);
    expect(left["active"]?.filter(({ email }) => wantsNone.has(email)) ?? []).toEqual([]);
    expect(await findImport(db, id)).toMatchObject({
      added: added.length,
      unsubscribed,
      filled: filled.length,
      suppressed: keptOut,
    });
  });
  await fc.assert(property, { seed: fuzzSeed(), numRuns: fuzzCases(500) });
});
