import { expect, test } from "vitest";
import { urlProblem } from "#app/features/webhooks/endpoint-url.server.ts";
import { needs } from "#tests/support/pool/start.ts";

needs("webhooks");

const PUBLIC_SITE = "https://waitlist-site.example";
const loopback = ["localhost", "a.localhost", "127.1.2.3", "[::1]"];

test.each(["http://localhost:8787", "https://localhost", "http://127.9.9.9", "http://[::1]"])(
  "from a site at %s events may be sent to every loopback address, and to no other one of a local network",
  (site) => {
    for (const host of loopback) {
      for (const protocol of ["http", "https"]) expect(urlProblem(`${protocol}://${host}:3000/hook`, site)).toBeNull();
      expect(urlProblem(`ftp://${host}/`, site)).toContain("https://");
      expect(urlProblem(`http://ada:secret@${host}/`, site)).toContain("user name");
    }
    for (const host of ["10.0.0.1", "[::ffff:127.0.0.1]", "printer.local", "localhost.", "mylocalhost"])
      expect(urlProblem(`https://${host}/`, site)).toContain("public host name");
    for (const host of ["10.0.0.1", "hooks.example", "localhost.hooks.example", "127.0.0.1.hooks.example"])
      expect(urlProblem(`http://${host}/`, site)).toContain("https://");
  },
);

test.each(["https://localhost.example", "http://192.168.1.20", "http://[::ffff:127.0.0.1]"])(
  "a site at %s is not on a loopback address",
  (site) => {
    for (const host of loopback) expect(urlProblem(`https://${host}/`, site)).toContain("public host name");
  },
);

test("from a public site events may be sent over https to a public name, without a user name", () => {
  for (const user of ["ada", ":secret"])
    expect(urlProblem(`https://${user}@hooks.example/`, PUBLIC_SITE)).toContain("user name");
  for (const url of ["https://hooks.example:8443/catch/1?key=a%20b", "https://bücher.example/"])
    expect(urlProblem(url, PUBLIC_SITE)).toBeNull();
});
