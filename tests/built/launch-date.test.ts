import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { launchDate } from "#app/site.ts";
import { visibleText } from "#tests/support/pool/built.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { signedInBrowser, withCookiesOf } from "#tests/support/pool/owner.ts";
import { freshStorageForEachTest, join } from "#tests/support/pool/start.ts";

describe.skipIf(launchDate === null)("a launch date that has passed", () => {
  const midnight = Date.parse(launchDate ?? "2031-05-31") + 24 * 3_600_000;
  freshStorageForEachTest();
  captureLog();
  afterEach(() => void vi.useRealTimers());
  beforeEach(() => void vi.useFakeTimers({ now: midnight - 60_000, toFake: ["Date"] }));
  const browser = signedInBrowser();

  test("is named on the owner's overview, with the places to change it, until the product is open", async () => {
    const launched = withCookiesOf(browser, { LAUNCH_URL: "https://app.market.example/" });
    const overview = async (from = browser) => visibleText((await from.request("/owner")).body);
    const warning = /The launch date, \d+ \w+ \d+, has passed\. .*(?:Change the launch|LAUNCH_URL.*app\/site\.ts)/;

    expect(await overview()).not.toMatch(warning);
    vi.setSystemTime(midnight);
    expect(await overview()).toMatch(warning);
    await join("ada@example.com");
    expect(await overview()).toMatch(warning);
    expect(await overview(launched)).toContain("can get email");
    expect(await overview(launched)).not.toMatch(warning);
  });
});
