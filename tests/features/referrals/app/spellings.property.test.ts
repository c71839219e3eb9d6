import { expect, test } from "vitest";
import { referralHarness } from "#tests/features/referrals/pool/referrals.ts";
import { fuzzCases } from "#tests/support/pool/fuzz.ts";
import { freshDatabaseForEachTest, needs } from "#tests/support/pool/start.ts";

needs("referrals");
freshDatabaseForEachTest();

const SPELLINGS = fuzzCases(1_000);
const NETWORKS = 200;
const DAY = 24 * 3_600_000;

/** Spellings of one Gmail address: a different set of dots each, with capitals, tags and both domains. */
function spelling(name: string, n: number): string {
  const local = [...name]
    .map((letter, place) => ((n * 7) % 11 === place ? letter.toUpperCase() : letter) + ((n >> place) & 1 ? "." : ""))
    .join("");
  return `${local}${n % 3 === 0 ? `+fair${n}` : ""}@${["gmail.com", "googlemail.com", "GMail.com", "gmail.com."][n % 4]}`;
}

test.each([
  ["the referrer's own", "adalovelace", 0],
  ["one that is on the list", "gracehopper", 0],
  ["a new one", "evenewcomer", 1],
])(
  "%s mailbox in many spellings from 200 networks, all of them confirmed, counts at most once",
  async (_, name, counted) => {
    const { clock, bring, enter, confirm, friends } = referralHarness();
    const ada = await bring("adalovelace@gmail.com");
    await bring("gracehopper@gmail.com");
    let added = 0;
    for (let n = 1; n <= SPELLINGS; n += 1) {
      // So that the mailbox's daily limit refuses none of them.
      clock.now += DAY + 1;
      const entry = await enter(spelling(name, n), ada, { network: n % NETWORKS });
      if (entry.kind !== "new") continue;
      added += 1;
      await confirm(entry.id);
    }
    expect(added).toBeGreaterThan(SPELLINGS * 0.9);
    expect(await friends(ada)).toEqual({ joined: added, counted });
  },
);
