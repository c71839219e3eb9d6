import { globSync } from "node:fs";
import { join } from "node:path";
import { root } from "#scripts/lib/commands.ts";
import * as consentAndHistory from "#tests/browser/engines/consent-and-history.ts";
import * as failingScripts from "#tests/browser/engines/failing-scripts.ts";
import * as visits from "#tests/browser/engines/visits.ts";
import { nightly, slow } from "#tests/support/browser/slow.ts";
import type { Engine } from "#tests/support/engines/engine.ts";
import { describeEngine, type Journey } from "#tests/support/engines/engine-test.ts";

/** What features add. */
const journeys = (
  await Promise.all(
    globSync(join(root, "tests/features/*/browser/engines.ts")).map(
      async (file) => (await import(file)) as { journeys: Journey[] },
    ),
  )
).flatMap((feature) => feature.journeys);

/** The same pass in each engine. */
export function testSiteIn(engine: Engine): void {
  describeEngine(engine, slow, (test) => {
    test("sign-up", visits.signUp);
    test("sign-up without JavaScript", visits.signUpWithoutScripts);
    test("the banner saves the choice in a cookie", consentAndHistory.bannerAndCookie);
  });
  describeEngine(engine, nightly, (test) => {
    test("every page has a clean console and no sideways scroll", visits.everyPage);
    test("the accordion opens one group at a time", visits.accordion);
    test("the menu opens, closes and navigates", visits.menu);
    test("the bar repeats neither the name nor the button of the first view, where it can tell", visits.bar);
    test("tabbing back never focuses an element under the bar", visits.tabbingBack);
    test("Back does not ask again after a choice on another page", consentAndHistory.backAfterChoice);
    test("back and forward restore page and position", consentAndHistory.backAndForward);
    test("the link is shared", consentAndHistory.share);
    test("presses before hydration take effect", consentAndHistory.pressBeforeHydration);
    test("a module that fails leaves the page", failingScripts.failingModules, "breaks scripts");
    test("an error during hydration leaves the page", failingScripts.failingHydration, "breaks scripts");
    for (const [name, journey] of journeys) test(name, journey);
  });
}
