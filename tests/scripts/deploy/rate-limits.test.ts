import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { ownNamespaces } from "#scripts/deploy/rate-limits.ts";
import { root } from "#scripts/lib/commands.ts";

const { ratelimits } = unstable_readConfig({ config: `${root}/wrangler.toml` });

const idsOf = (worker: string) => ownNamespaces(worker, ratelimits).map(({ namespace_id }) => namespace_id);

test("a Worker's rate limits keep their names and numbers, and get the same namespaces on every deployment", () => {
  const own = ownNamespaces("waitlist-site", ratelimits);
  const ids = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => String(766_772_833 + index));
  expect(own).toEqual(ids.map((namespace_id, index) => ({ ...ratelimits[index], namespace_id })));
});

test("no two of 2,000 Workers share a namespace, and every id is a positive integer of 31 bits", () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => idsOf(`waitlist-site-${n}`)).flat();
  expect(new Set(ids).size).toBe(16_000);
  expect(ids.filter((id) => !/^[1-9]\d*$/.test(id) || Number(id) >= 2 ** 31)).toEqual([]);
});

test("more rate limits than a Worker has ids for are refused", () => {
  const limit = { name: "LIMIT", namespace_id: "1" };
  expect(ownNamespaces("waitlist-site", Array(15).fill(limit))).toHaveLength(15);
  expect(() => ownNamespaces("waitlist-site", Array(16).fill(limit))).toThrow(RangeError);
});
