import { expect, test } from "vitest";
import { urlProblem } from "#app/owner/webhooks/endpoint-url.server.ts";
import { needs } from "#tests/support/pool/start.ts";

needs("webhooks");

const addresses =
  "127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 8.8.8.8 [::1] [::] [::ffff:127.0.0.1] [fe80::1] [fd00::1] [2606:4700::1111] ⑯⑨.254.169.254 127。0。0。1";
const names =
  "localhost LOCALHOST localhost. a.localhost printer.local db.internal router.lan nas.home.arpa x.home x.corp x.private x.intranet intranet";

test.each([...addresses.split(" "), ...names.split(" ")])("no events are sent to https://%s", (host) => {
  for (const url of [`https://${host}/`, `https://${host}:8443/hook`])
    expect(urlProblem(url)).toContain("public host name");
});

test.each([
  "http://hooks.example/",
  "ftp://hooks.example/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "//hooks.example/",
  "hooks.example",
])("no events are sent to %s", (url) => {
  expect(urlProblem(url)).toMatch(/https:\/\//);
});

test.each(["https://ada@hooks.example/", "https://ada:secret@hooks.example/", "https://:secret@hooks.example/"])(
  "no events are sent to %s",
  (url) => {
    expect(urlProblem(url)).toContain("user name");
  },
);

test.each(["https://hooks.example/catch/1?key=a%20b", "https://hooks.example:8443/", "https://bücher.example/"])(
  "events may be sent to %s",
  (url) => {
    expect(urlProblem(url)).toBeNull();
  },
);
