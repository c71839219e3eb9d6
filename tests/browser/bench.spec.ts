import { expect, test } from "@playwright/test";
import { bench } from "#scripts/bench/measure.ts";
import { slow } from "#tests/support/browser/slow.ts";

// The other groups have their own tests: budgets, Lighthouse, and the controls in tests/scripts.
for (const only of ["sign-up", "paint"] as const) {
  test(`a short ${only} bench measures every figure and runs its control`, slow, async () => {
    test.setTimeout(120_000);
    const { verdicts, comparisons, tables, explanations } = await bench({ only, short: true });
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ value }) => Number.isNaN(value))).toEqual([]);
    for (const { sides } of comparisons) for (const { rates } of sides) expect(rates[0]).toBeGreaterThan(0);
    for (const { title, rows } of [...tables, ...explanations]) expect(rows, title).not.toEqual([]);
  });
}
