import { planLimits } from "#app/server/config/plan-limits.ts";
import { rateLimits } from "#tests/support/pool/location-limits.ts";
import abuseDocs from "../../../docs/abuse.md?raw";

/* What docs/abuse.md says about the rows that anonymous requests write and read. */

/** The rows of each kind of request. */
export const documentedCosts = new Map(
  Array.from(
    section("What a request costs").matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm),
    ([, name = "", ...rows]) => [name, { written: Number(rows[0]), read: Number(rows[1]) }],
  ),
);

/** The lines of the table of what an hour can cost, in the docs. */
export const documentedHours = section("What an hour of attack costs").match(/^\| .*\d \|$/gm) ?? [];

/**
 * The same lines as they follow from the limits and from the rows of a request: in an hour of one client, of those of a
 * /48 and of 1,000.
 */
export function worstHours(): string[] {
  const client = perHour("CLIENT_LIMIT");
  const clients = [client, perHour("NETWORK_48_LIMIT"), 1_000 * client];
  const unverified = [perHour("STRICT_LIMIT"), perHour("UNVERIFIED_LIMIT"), perHour("UNVERIFIED_LIMIT")];
  const signUp = ["a sign-up through a personal link", "the email of a sign-up"];
  /** What the people who have signed up can do once. */
  const once = ["confirming it", "leaving", "erasing"];
  const again = ["an answer", "returning", "leaving"];
  const late = ["a sign-up through a personal link", "the email of a sign-up, over the send limit"];
  const { visits, blockedAttempts } = planLimits.free;
  /** Of the hours around midnight in the owner's time zone, and of each reason. */
  const counted = 2 * visits + 7 * blockedAttempts;
  const each: [name: string, rows: number[]][] = [
    ["sign-ups with their emails", times(clients, signUp)],
    ["confirming, leaving and erasing each of these entries", times(clients, once)],
    ["answers after joining", times(clients, ["an answer"])],
    ["returns to the list, each followed by leaving", times(clients, ["returning", "leaving"])],
    ["sign-in links of an owner, one in five minutes", times([12, 12, 12], ["a sign-in link"])],
    ["counts of visits and of blocked attempts, a day’s at most", clients.map(() => counted)],
  ];
  const all: [name: string, rows: number[]][] = [
    ...each,
    ["all of these", clients.map((_, index) => each.reduce((sum, [, rows]) => sum + (rows[index] ?? 0), 0))],
    ["rows read by all of these", times(clients, [...late, ...once, ...again], "read")],
    ["of sign-ups that Turnstile does not verify", times(unverified, signUp)],
  ];
  return all.map(([name, rows]) => `| ${[name, ...rows.map((count) => count.toLocaleString("en-GB"))].join(" | ")} |`);
}

function perHour(limit: string): number {
  const { limit: attempts, period } = rateLimits.get(limit) ?? { limit: Number.NaN, period: 1 };
  return (attempts * 3_600) / period;
}

/** The rows that so many requests of each of some kinds write, or read. */
function times(requests: number[], kinds: string[], rows: "written" | "read" = "written"): number[] {
  const each = kinds.reduce((sum, kind) => sum + (documentedCosts.get(kind)?.[rows] ?? Number.NaN), 0);
  return requests.map((count) => count * each);
}

function section(title: string): string {
  return abuseDocs.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
}
