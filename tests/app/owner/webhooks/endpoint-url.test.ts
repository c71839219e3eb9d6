import { expect, test } from "vitest";
import { urlProblem } from "#app/owner/webhooks/endpoint-url.server.ts";
import { localHosts } from "#tests/support/local-hosts.ts";
import { needs } from "#tests/support/pool/start.ts";

needs("webhooks");

const PUBLIC_SITE = "https://waitlist-site.example";

test.each(localHosts)("no events are sent to https://%s", (host) => {
  for (const url of [`https://${host}/`, `https://${host}:8443/hook`])
    expect(urlProblem(url, PUBLIC_SITE)).toContain("public host name");
  expect(urlProblem(`http://${host}/`, PUBLIC_SITE)).toContain("https://");
});

const loopback = ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.1.2.3", "127.1", "0x7f.1", "[::1]"];
const addresses = "0.0.0.0 10.0.0.1 192.168.1.1 169.254.169.254 [::] [::ffff:127.0.0.1] [fd00::1]".split(" ");

test.each(["http://localhost:8787", "https://localhost", "http://a.localhost", "http://127.9.9.9", "http://[::1]"])(
  "from a site at %s events may be sent to every loopback address, and to no other one of a local network",
  (site) => {
    for (const host of loopback) {
      for (const protocol of ["http", "https"]) expect(urlProblem(`${protocol}://${host}:3000/hook`, site)).toBeNull();
      expect(urlProblem(`ftp://${host}/`, site)).toContain("https://");
      expect(urlProblem(`http://ada:secret@${host}/`, site)).toContain("user name");
    }
    for (const host of [...addresses, "printer.local", "db.internal", "localhost.", "mylocalhost"])
      expect(urlProblem(`https://${host}/`, site)).toContain("public host name");
    for (const host of [...addresses, "hooks.example", "localhost.hooks.example", "127.0.0.1.hooks.example"])
      expect(urlProblem(`http://${host}/`, site)).toContain("https://");
  },
);

test.each(["https://localhost.example", "https://localhost.", "http://192.168.1.20", "http://[::ffff:127.0.0.1]"])(
  "a site at %s is not on a loopback address",
  (site) => {
    for (const host of loopback) expect(urlProblem(`https://${host}/`, site)).toContain("public host name");
  },
);

test.each([
  ...["http:", "ftp:", "", "javascript:"].map((protocol) => [`${protocol}//hooks.example/`, /https:\/\//] as const),
  ...["ada", "ada:secret", ":secret"].map((user) => [`https://${user}@hooks.example/`, /user name/] as const),
])("no events are sent to %s", (url, problem) => {
  expect(urlProblem(url, PUBLIC_SITE)).toMatch(problem);
});

test.each(["https://hooks.example/catch/1?key=a%20b", "https://hooks.example:8443/", "https://bücher.example/"])(
  "events may be sent to %s",
  (url) => {
    expect(urlProblem(url, PUBLIC_SITE)).toBeNull();
  },
);
