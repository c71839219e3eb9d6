import { expect, test } from "@playwright/test";
import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";
import { measureBlockingTime } from "#scripts/bench/blocking-time.ts";
import { bench } from "#scripts/bench/measure.ts";
import { slow } from "#tests/support/browser/slow.ts";

// The other groups have their own tests: budgets, Lighthouse, and the controls in tests/scripts.
for (const only of ["sign-up", "paint", "reading"] as const) {
  test(`a short ${only} bench measures every figure and runs its control`, slow, async () => {
    test.setTimeout(120_000);
    const { verdicts, comparisons, tables, explanations } = await bench({ only, short: true });
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ value }) => Number.isNaN(value))).toEqual([]);
    for (const { sides } of comparisons) for (const { rates } of sides) expect(rates[0]).toBeGreaterThan(0);
    for (const { title, rows } of [...tables, ...explanations]) expect(rows, title).not.toEqual([]);
  });
}

test("a script that keeps the main thread busy counts as blocking time", slow, async () => {
  const busy = (milliseconds: number) => `
    <p>Painted before the script runs</p>
    <script>requestAnimationFrame(() => setTimeout(() => {
      const began = performance.now();
      while (performance.now() - began < ${milliseconds});
      setTimeout(() => document.dispatchEvent(new Event("${HYDRATED_EVENT}")));
    }, 100))</script>`;
  const url = (page: string) => `data:text/html,${encodeURIComponent(page)}`;
  // A busy machine gives the loop less than all of the second, and the phone is hardly slower than such a machine.
  expect(await measureBlockingTime(url(busy(0)))).toBeLessThan(150);
  expect(await measureBlockingTime(url(busy(1_000)))).toBeGreaterThan(250);
});
