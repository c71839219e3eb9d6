import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "#scripts/lib/local-site.ts";
import { openDatabase } from "#scripts/owner/database.ts";
import { runOwner } from "#scripts/owner/run.ts";
import { runScript } from "#tests/support/run-script.ts";
import { addPeople, openWaitlistFile } from "#tests/support/waitlist-file.ts";

test.each(["csv", "json"])("exports 100,000 entries as %s in constant memory", { timeout: 120_000 }, async (format) => {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-export-"));
  const persistTo = join(folder, "state");
  await migrate(persistTo);
  const file = await openWaitlistFile(persistTo);
  const database = await openDatabase({ remote: false, persistTo });
  onTestFinished(async () => {
    await database.close();
    file.close();
    rmSync(folder, { recursive: true });
  });
  addPeople(file, 100_000);

  const heap: number[] = [];
  let [chunks, bytes] = [0, 0];
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      chunks += 1;
      if (chunks === 5 || chunks === 50) heap.push(heapInUse());
      done();
    },
  });
  const err = new PassThrough();
  const open = async () => ({ ...database, close: async () => {} });
  expect(await runOwner(["export", "--format", format], { out, err, open })).toBe(0);
  expect(String(err.read())).toMatch(/100,000 entries\n$/);
  expect(bytes).toBeGreaterThan(10_000_000);
  const [early = 0, late = Infinity] = heap;
  expect(late - early).toBeLessThan(5_000_000);
});

/** Bytes in use after a garbage collection. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test("closing the pipe early is not an error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "waitlist-site-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const persistTo = join(folder, "state");
  await migrate(persistTo);
  const file = await openWaitlistFile(persistTo);
  addPeople(file, 5_000);
  file.close();
  const { code, err } = await runScript("owner", ["export", "--persist-to", persistTo], { onlyBeginning: true });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});
