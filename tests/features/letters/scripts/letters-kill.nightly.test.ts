import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { databaseFile, migrate } from "#scripts/lib/local-database.ts";
import { startFakeResend } from "#scripts/lib/resend-server.ts";
import { startSite } from "#scripts/lib/running-site.ts";
import { addLetter } from "#scripts/lib/seed-letter.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";

vi.setConfig({ testTimeout: 400_000 });

const PEOPLE = 100_000;

/** When the runtime is killed (SIGKILL): at the nth email that the provider accepts of a run, or after so many milliseconds. */
const kills: { at?: number; after?: number }[] = [
  { after: 150 },
  { at: 1 },
  { after: 3_000 },
  { at: 20_001 },
  { after: 700 },
  { at: 999 },
];

test("a letter whose runtime is killed again and again is sent to everybody once", async () => {
  const folder = temporaryFolder();
  const persistTo = join(folder, "state");
  migrate(persistTo);
  addLetter(databaseFile(persistTo), PEOPLE);
  let kill = async () => {};
  let accepted = 0;
  let killAt = Number.POSITIVE_INFINITY;
  const resend = await startFakeResend({
    account: { rateLimit: 10_000 },
    // The response waits for this: the provider has accepted the batch, and the site never hears of it.
    onAccepted: async () => {
      accepted += 1;
      if (accepted >= killAt) await kill();
    },
  });
  onTestFinished(resend.stop);
  const vars = {
    // The same after a restart on another port: emails contain it.
    SITE_URL: "https://waitlist-site.example",
    RESEND_API_KEY: "re_kill",
    RESEND_URL: resend.url,
    MAIL_PER_HOUR: "1000000",
    WORKERS_PLAN: "paid",
  };
  let interrupted = 0;
  for (const { at, after } of kills) {
    const site = await startSite({ folder, vars, migrated: false });
    accepted = 0;
    killAt = at ?? Number.POSITIVE_INFINITY;
    kill = () => site.kill();
    const timer = after === undefined ? undefined : setTimeout(() => void site.kill(), after);
    await site.sweep().catch(() => {
      interrupted += 1;
    });
    clearTimeout(timer);
    await site.kill();
    endLeases(databaseFile(persistTo));
  }
  expect(interrupted).toBe(kills.length);
  killAt = Number.POSITIVE_INFINITY;
  const site = await startSite({ folder, vars, migrated: false });
  onTestFinished(site.stop);
  for (let runs = 0; runs < 10 && (await site.rows("letters"))[0]?.["state"] !== "finished"; runs += 1)
    await site.sweep();
  const addresses = resend.accepted().map(({ to }) => to);
  expect(new Set(addresses).size).toBe(PEOPLE);
  expect(addresses).toHaveLength(PEOPLE);
  using database = new DatabaseSync(databaseFile(persistTo), { readOnly: true, timeout: 5_000 });
  const states = "SELECT state, count(*) AS people FROM letter_recipients GROUP BY state";
  expect(database.prepare(states).all()).toEqual([{ state: "sent", people: PEOPLE }]);
  expect(database.prepare("SELECT state, queued FROM letters").all()).toEqual([{ state: "finished", queued: PEOPLE }]);
});

/** In place of the two minutes after which the batches of a killed sender are claimed again. */
function endLeases(file: string): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(
    "UPDATE letter_batches SET leased_until = 0, next_attempt_at = 0 WHERE done_at IS NULL AND dead_at IS NULL",
  );
}
