import { afterEach, expect, test, vi } from "vitest";
import { welcomeWording } from "#app/email/templates/welcome-email.server.ts";
import { pages } from "#app/pages.server.ts";
import { launchDate, launchSentence } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { read } from "#tests/support/pool/built.ts";
import { freshStorageForEachTest } from "#tests/support/pool/start.ts";
import source from "../../app/site.ts?raw";

/* The sentence with the launch date. tests/scripts/variants.nightly.test.ts runs this in a site without one. */

freshStorageForEachTest();
afterEach(() => void vi.useRealTimers());

/** As app/site.ts has it, also where it is switched off. */
const sentence = /launchDate === null \? null : "(.+)"/.exec(source)?.[1] ?? "no sentence";

/** What visitors, search engines and AI assistants read, structured data included, and the welcome email, by address. */
async function readEverything(): Promise<[address: string, text: string][]> {
  const addresses = [...pages.map(({ path }) => path), "/sitemap.xml", "/llms.txt", "/no-such-page"];
  const texts = await Promise.all(
    addresses.map(async (path): Promise<[string, string]> => [path, (await read(path)).body]),
  );
  return [...texts, ["welcome email", welcomeWording({ launchUrl: undefined, promise: "", now: Date.now() }).body]];
}

const midnight = Date.parse(launchDate ?? "2031-05-31") + 24 * 3_600_000;

test("the launch sentence is on the pages, in the email and in the summary that say when, and nowhere without a date", async () => {
  vi.useFakeTimers({ now: midnight - 60_000, toFake: ["Date"] });
  expect(launchSentence).toBe(launchDate === null ? null : sentence);
  const everything = await readEverything();
  const places = everything.flatMap(([address, text]) => (text.includes(sentence) ? [address] : []));
  const told = ["/", ...(switches.roadmap ? ["/roadmap"] : []), "/llms.txt", "welcome email"];
  expect(places.toSorted()).toEqual(launchDate === null ? [] : told.toSorted());
  for (const [address, text] of everything) expect(text, address).not.toMatch(/>\s*(null|undefined)\b|\. {2,}\S/);
});

test("once the date has passed, neither email nor summary names it", async () => {
  vi.useFakeTimers({ now: midnight, toFake: ["Date"] });
  const places = (await readEverything()).flatMap(([address, text]) => (text.includes(sentence) ? [address] : []));
  expect(places).not.toContain("welcome email");
  expect(places).not.toContain("/llms.txt");
});
