import { describe, expect, onTestFinished, test, vi } from "vitest";
import { read } from "#tests/support/pool/built.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { needs } from "#tests/support/pool/start.ts";

const log = captureLog();

test.each(["/no-such-page", "/privacy/more", "/wp-login.php", "/%F0%9F%8E%AA"])(
  "%s is a page with status 404",
  async (path) => {
    const { status, body, headers } = await read(path);
    expect(status).toBe(404);
    expect(headers.get("Content-Type")).toContain("text/html");
    expect(body).toContain('<meta name="robots" content="noindex"');
    expect(body).toMatch(/<h1>[^<]+<\/h1>/);
  },
);

describe("a route that throws", () => {
  needs("roadmap");

  test("the error page with status 500, a reference to the log line, and no stack", async () => {
    breakDateFormat();
    const { status, body, text } = await read("/roadmap");

    expect(status).toBe(500);
    const reference = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0] ?? "none";
    const line = log.find((entry) => entry.includes(reference)) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      path: "/roadmap",
      error: expect.stringContaining("simulated failure"),
    });
    expect(line).not.toContain("ada@example.com");
    for (const secret of ["simulated", "failure for", "    at ", ".js:"]) expect(body).not.toContain(secret);
  });

  test("in a client-side navigation, the browser loads the page itself", async () => {
    breakDateFormat();
    const { body } = await read("/roadmap.data");
    expect(body).toContain("/roadmap");
    expect(body).not.toContain("simulated");
  });
});

test("a component that throws: the error page with status 500, and no partial page", async () => {
  // Both renders must fail: the second has no boundary in which React would swallow the error.
  breakHeader(2);
  const { status, body, text } = await read("/privacy");

  expect(status).toBe(500);
  expect(body).toContain("Something went wrong");
  expect(body).toContain("we’ve logged it");
  expect(body).not.toContain("broken header");
  const reference = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0] ?? "none";
  const line = log.find((entry) => entry.includes(reference)) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({ path: "/privacy", error: expect.stringContaining("broken header") });
});

/** Makes the header throw a number of times, where it lists its links. */
function breakHeader(times: number): void {
  const { map } = Array.prototype;
  let left = times;
  vi.spyOn(Array.prototype, "map").mockImplementation(function (this: { to?: string }[], ...args) {
    if (this[0]?.to !== "/" || left === 0) return map.apply(this, args);
    left -= 1;
    throw new Error("broken header");
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

/** Makes date formatting throw until the test ends. */
function breakDateFormat(): void {
  vi.spyOn(Intl, "DateTimeFormat").mockImplementation(() => {
    throw new Error("simulated failure for ada@example.com");
  });
  onTestFinished(() => void vi.restoreAllMocks());
}
