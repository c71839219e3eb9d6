import { existsSync, readFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { expect, onTestFinished, test } from "vitest";
import { CHROMIUM_FLAGS, findChromium } from "#scripts/lib/chromium.ts";

test.skipIf(!existsSync("/proc/self/cmdline"))(
  "the flags disable every feature that Playwright disables (reads Linux's /proc)",
  async () => {
    const server = await chromium.launchServer({ executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS });
    onTestFinished(() => server.close());
    const flags = readFileSync(`/proc/${server.process().pid}/cmdline`, "utf8").split("\0");
    const lists = flags.flatMap((flag) => /^--disable-features=(.*)$/.exec(flag)?.[1]?.split(",") ?? []);
    const [last] = CHROMIUM_FLAGS.filter((flag) => flag.startsWith("--disable-features="));
    expect(flags.findLast((flag) => flag.startsWith("--disable-features="))).toBe(last);
    expect(lists.filter((name) => !last?.split(/[=,]/).includes(name))).toEqual([]);
  },
);
