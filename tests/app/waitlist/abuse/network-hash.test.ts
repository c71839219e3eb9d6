import { expect, test } from "vitest";
import { hashNetwork } from "#app/waitlist/abuse/network-hash.server.ts";

const hash = (ip: string) => hashNetwork(ip, "a key");

test("clients of one IPv6 /48 or IPv4 /24 have the same hash, those of others another one", async () => {
  const site = await hash("2001:db8:7::1");
  expect(await hash("2001:DB8:0007:ffff:1:2:3:4")).toBe(site);
  expect(await hash("2001:db8:8::1")).not.toBe(site);
  const office = await hash("198.51.100.7");
  expect(await hash("::ffff:198.51.100.200")).toBe(office);
  expect(await hash("198.51.101.7")).not.toBe(office);
  expect(await hash("unknown")).not.toBe(office);
});

test("the hash depends on the key", async () => {
  expect(await hashNetwork("198.51.100.7", "another key")).not.toBe(await hash("198.51.100.7"));
});
