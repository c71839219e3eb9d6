import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { localWaitlist } from "#tests/support/local-waitlist.ts";
import { runScript } from "#tests/support/run-script.ts";
import { addPeople } from "#tests/support/waitlist-file.ts";

const waitlist = localWaitlist();

beforeAll(() => addPeople(waitlist.file, 100_000));

test("exports 100,000 entries in constant memory", { timeout: 120_000 }, async () => {
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
  expect(await waitlist.runTo(out, err, ["export"])).toBe(0);
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
  const args = ["export", "--everyone", "--persist-to", join(waitlist.folder, "state")];
  expect(await runScript("owner", args, { onlyBeginning: true })).toMatchObject({ code: 0, err: "" });
});
