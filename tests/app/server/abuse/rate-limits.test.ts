import { expect, test } from "vitest";
import { networksOf } from "#app/server/abuse/networks.ts";

test.each(["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:203.0.113.7"])("%s is one client, without networks", (ip) => {
  expect(networksOf(ip)).toEqual([["client", "203.0.113.7"]]);
});

test.each([
  ["2001:db8:1:2345:3:4:5:6", ["2001:db8:1:2345::/64", "2001:db8:1:2300::/56", "2001:db8:1::/48"]],
  ["2001:DB8:0001:2::6", ["2001:db8:1:2::/64", "2001:db8:1:0000::/56", "2001:db8:1::/48"]],
  ["2001:db8:1:23ff::6", ["2001:db8:1:23ff::/64", "2001:db8:1:2300::/56", "2001:db8:1::/48"]],
  ["2001:db8::1", ["2001:db8:0:0::/64", "2001:db8:0:0000::/56", "2001:db8:0::/48"]],
  ["::1", ["0:0:0:0::/64", "0:0:0:0000::/56", "0:0:0::/48"]],
])("the IPv6 address %s belongs to %j", (ip, [client, network56, network48]) => {
  expect(networksOf(ip)).toEqual([
    ["client", client],
    ["network56", network56],
    ["network48", network48],
  ]);
});
