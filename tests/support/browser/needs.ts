import { test } from "@playwright/test";
import { type Switch, switchedOff } from "#tests/support/switched-off.ts";

/** Skips this test, or the tests of this file or block, with the reason, unless some parts and features are switched on. */
export function needs(...names: Switch[]): void {
  const reason = switchedOff(names);
  test.skip(reason !== null, reason ?? "");
}
