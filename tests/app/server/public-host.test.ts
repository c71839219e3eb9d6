import { expect, test } from "vitest";
import { isPublicHost, mayFetch } from "#app/server/http/public-host.server.ts";

const GHOST = "http://127.0.0.1:2368";

test.each(["https://blog.example/a.png", "http://images.example.co.uk/a.png", "https://10.example/a.png"])(
  "%s is public",
  (address) => expect(isPublicHost(new URL(address))).toBe(true),
);

test.each([
  "http://localhost/",
  "http://LOCALHOST./",
  "http://blog.localhost/",
  "http://router.local/",
  "http://metadata.google.internal/",
  "http://nas.home.arpa/",
  "http://ghost/",
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://10.0.0.1/",
  "http://169.254.169.254/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://100.64.0.1/",
  "http://１２７.０.０.１/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[fe80::1]/",
  "http://[fd00::1]/",
])("%s is not public", (address) => {
  expect(isPublicHost(new URL(address))).toBe(false);
  expect(mayFetch(new URL(address), "https://blog.example")).toBe(false);
});

test("the configured Ghost may be private, only on its exact origin", () => {
  expect(mayFetch(new URL(`${GHOST}/content/images/a.png`), GHOST)).toBe(true);
  for (const other of [
    "http://127.0.0.1/",
    "http://127.0.0.1:2369/",
    "https://127.0.0.1:2368/",
    "http://localhost:2368/",
  ]) {
    expect(mayFetch(new URL(other), GHOST), other).toBe(false);
  }
});

test.each([
  "ftp://blog.example/",
  "file:///etc/passwd",
  "data:image/png,x",
  "javascript:1",
  "https://a:b@blog.example/",
])("%s is never fetched", (address) => expect(mayFetch(new URL(address), "https://blog.example")).toBe(false));
