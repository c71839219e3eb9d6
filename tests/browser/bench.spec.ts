import { expect, test } from "@playwright/test";
import { bench } from "#scripts/bench/measure.ts";

// What is measured in other ways has tests of its own: budgets, Lighthouse, and the controls under tests/scripts.
for (const only of ["sign-up", "paint"] as const) {
  test(`the bench in short, ${only}: every figure is measured, beside a control that does its work, and explained`, async () => {
    test.setTimeout(120_000);
    const { verdicts, comparisons, tables, reasons } = await bench({ only, short: true, profile: true });
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ value }) => Number.isNaN(value))).toEqual([]);
    for (const { sides } of comparisons) for (const { rates } of sides) expect(rates[0]).toBeGreaterThan(0);
    for (const { title, rows } of [...tables, ...reasons]) expect(rows, title).not.toEqual([]);
  });
}
