import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { startScript } from "#tests/support/running-script.ts";

const clone = cleanClone();
afterAll(clone.remove);

test("an interrupted run leaves the old screenshots and no new ones", async () => {
  const folder = join(clone.folder, "docs", "screenshots");
  const pictures = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]);
  const before = pictures();
  expect(before.length).toBeGreaterThan(10);
  const script = startScript("screenshots", [], clone.folder);
  await script.printed(/\.png$/m);
  expect(await script.end("SIGTERM")).not.toBe(0);
  expect(pictures()).toEqual(before);
}, 180_000);
