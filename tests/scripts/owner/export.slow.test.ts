import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { migrate } from "#scripts/lib/local-database.ts";
import { localWaitlist } from "#tests/support/local-waitlist.ts";
import { runScript } from "#tests/support/run-script.ts";
import { addPeople, openWaitlistFile } from "#tests/support/waitlist-file.ts";

const waitlist = localWaitlist();

beforeAll(() => addPeople(waitlist.file, 100_000));

test.each(["csv", "json"])("exports 100,000 entries as %s in constant memory", { timeout: 120_000 }, async (format) => {
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
  expect(await waitlist.runTo(out, err, ["export", "--format", format])).toBe(0);
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
  migrate(persistTo);
  const file = await openWaitlistFile(persistTo);
  addPeople(file, 5_000);
  file.close();
  const { code, err } = await runScript("owner", ["export", "--persist-to", persistTo], { onlyBeginning: true });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});
