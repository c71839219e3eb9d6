import { expect, test } from "vitest";
import { clientKey } from "#app/waitlist/abuse/rate-limits.server.ts";

test("an IPv4 address is its own key", () => expect(clientKey("203.0.113.7")).toBe("203.0.113.7"));

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2::6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("the key of the IPv6 address %s is its network %s", (ip, key) => expect(clientKey(ip)).toBe(key));
