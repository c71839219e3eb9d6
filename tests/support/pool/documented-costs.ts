import { maxCountWrites } from "#app/server/plan-limits.ts";
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
  const signUps = times(clients, ["a sign-up through a personal link", "the email of a sign-up"]);
  const readKinds = [
    "a sign-up through a personal link",
    "the email of a sign-up, over the send limit",
    ...once,
    "an answer",
    "returning",
    "leaving",
  ];
  const { visits, blocked } = maxCountWrites.free;
  const others: [name: string, rows: number[]][] = [
    ["confirming, leaving and erasing each of these entries", times(clients, once)],
    ["answers after joining", times(clients, ["an answer"])],
    ["returns to the list, each followed by leaving", times(clients, ["returning", "leaving"])],
    ["sign-in links of an owner, one in five minutes", times([12, 12, 12], ["a sign-in link"])],
    ["counts of visits and of blocked attempts, a day’s at most", clients.map(() => visits + blocked)],
  ];
  const all = signUps.map((rows, index) => others.reduce((sum, [, other]) => sum + (other[index] ?? 0), rows));
  const unverified = [perHour("STRICT_LIMIT"), perHour("UNVERIFIED_LIMIT"), perHour("UNVERIFIED_LIMIT")];
  return [
    line("sign-ups with their emails", signUps),
    ...others.map(([name, rows]) => line(name, rows)),
    line("all of these", all),
    line("rows read by all of these", times(clients, readKinds, "read")),
    line(
      "of sign-ups that Turnstile does not verify",
      times(unverified, ["a sign-up through a personal link", "the email of a sign-up"]),
    ),
  ];
}

function perHour(limit: string): number {
  const { limit: attempts, period } = rateLimits.get(limit) ?? { limit: Number.NaN, period: 1 };
  return (attempts * 3_600) / period;
}

/** What the people who have signed up can do once. */
const once = ["confirming it", "leaving", "erasing"];

/** The rows that so many requests of each of some kinds write, or read. */
function times(requests: number[], kinds: string[], rows: "written" | "read" = "written"): number[] {
  const each = kinds.reduce((sum, kind) => sum + (documentedCosts.get(kind)?.[rows] ?? Number.NaN), 0);
  return requests.map((count) => count * each);
}

function line(name: string, rows: number[]): string {
  return `| ${[name, ...rows.map((count) => count.toLocaleString("en-GB"))].join(" | ")} |`;
}

function section(title: string): string {
  return abuseDocs.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
}
