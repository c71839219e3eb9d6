import { expect, test } from "vitest";
import { capture, startControlOf } from "#scripts/bench/controls.ts";
import { startWorker } from "#scripts/bench/workers.ts";
import { runScript } from "#tests/support/run-script.ts";

test.each([
  ["landing", /Landing page, counted visits a second\n\n\| the site \| bare Worker/],
  ["sign-up", /Sign-ups a second\n\n\| the site \| bare Worker/],
  ["paint", /without JavaScript/],
])("npm run bench measures the group %s next to its control", { timeout: 120_000 }, async (group, expected) => {
  const { code, out, err } = await runScript("bench", ["--only", group, "--rounds", "1"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(expected);
  expect(out).toMatch(/^\| .+ \| at (?:least|most) \d+\.\d\d \| \d+\.\d\d \| (?:met|\*\*missed\*\*) \|$/m);
});

test("--check fails on a missed bar and names it", { timeout: 120_000 }, async () => {
  // Without rounds, nothing is measured, which misses every bar.
  expect(await runScript("bench", ["--only", "sign-up", "--rounds", "0", "--check"])).toMatchObject({
    code: 1,
    err: "Missed: `POST /api/signup`, requests/s relative to a bare Worker is NaN, must be at least 0.85\n",
  });
});

test("the bare page Worker, which the site is compared with, returns its status, headers and bytes", async () => {
  await using site = await startWorker();
  const response = await capture(`${site.url}/`);
  expect(response).toMatchObject({ status: 200, body: expect.stringContaining("</html>") });
  await using bare = await startControlOf(response);
  expect(await capture(`${bare.url}/`)).toEqual(response);
});
