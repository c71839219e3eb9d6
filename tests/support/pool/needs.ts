import { beforeEach } from "vitest";
import { type Switch, switchedOff } from "#tests/support/switched-off.ts";

/** Skips the tests of this file or block, with the reason, unless some parts and features are switched on. */
export function needs(...names: Switch[]): void {
  const reason = switchedOff(names);
  beforeEach(({ skip }) => skip(reason !== null, reason ?? undefined));
}
