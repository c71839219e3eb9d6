import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { ownNamespaces } from "#scripts/deploy/rate-limits.ts";
import { root } from "#scripts/lib/commands.ts";

const ratelimits: { name: string; namespace_id: string }[] = unstable_readConfig({
  config: `${root}/wrangler.toml`,
}).ratelimits;

const idsOf = (worker: string) => ownNamespaces(worker, ratelimits).map(({ namespace_id }) => namespace_id);

test("a Worker's rate limits keep their names and numbers, and get different namespaces", () => {
  const own = ownNamespaces("waitlist-site", ratelimits);
  expect(own).toEqual(ratelimits.map((limit) => ({ ...limit, namespace_id: expect.stringMatching(/^[1-9]\d*$/) })));
  expect(own).toHaveLength(8);
  expect(new Set(idsOf("waitlist-site")).size).toBe(8);
});

test("they are the same on every deployment", () => {
  expect(idsOf("waitlist-site")).toEqual(ratelimits.map((_, index) => String(766_772_833 + index)));
});

test("no two of 2,000 Workers share a namespace, and every id is a positive integer of 31 bits", () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => idsOf(`waitlist-site-${n}`)).flat();
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => Number(id) < 1 || Number(id) >= 2 ** 31)).toEqual([]);
});

test("more rate limits than a Worker has ids for are refused", () => {
  const limit = { name: "LIMIT", namespace_id: "1" };
  expect(ownNamespaces("waitlist-site", Array(15).fill(limit))).toHaveLength(15);
  expect(() => ownNamespaces("waitlist-site", Array(16).fill(limit))).toThrow(RangeError);
});
