import { expect, onTestFinished, test, vi } from "vitest";
import { read } from "#tests/support/pool/built-page.ts";
import { captureLog } from "#tests/support/pool/log.ts";

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

test("a route that throws: the error page with status 500, a reference that finds the log line, and no stack", async () => {
  tearCalendar();
  const { status, body, text } = await read("/roadmap");

  expect(status).toBe(500);
  const reference = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0] ?? "none";
  const line = log.find((entry) => entry.includes(reference)) ?? "";
  expect(JSON.parse(line)).toMatchObject({
    level: "error",
    path: "/roadmap",
    error: expect.stringContaining("is torn"),
  });
  expect(line).not.toContain("ada@example.com");
  for (const secret of ["is torn", "calendar", "    at ", ".js:"]) expect(body).not.toContain(secret);
});

test("a component that throws: the same, and no page without its content", async () => {
  // As often as the page is rendered: at last without the boundary within which React would keep it to itself.
  tearTopBar(2);
  const { status, body, text } = await read("/privacy");

  expect(status).toBe(500);
  expect(body).toContain("A gust took the awning");
  expect(body).not.toContain("is torn");
  const reference = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0] ?? "none";
  const line = log.find((entry) => entry.includes(reference)) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({ path: "/privacy", error: expect.stringContaining("the bar is torn") });
});

test("the same for a client-side navigation: the browser is sent to the page itself", async () => {
  tearCalendar();
  const { body } = await read("/roadmap.data");
  expect(body).toContain("/roadmap");
  expect(body).not.toContain("torn");
});

/** Makes the top bar throw where it looks for the page that is shown, a number of times. */
function tearTopBar(times: number): void {
  const { find } = Array.prototype;
  let left = times;
  vi.spyOn(Array.prototype, "find").mockImplementation(function (this: { to?: string }[], ...args) {
    if (this[1]?.to !== "/roadmap" || left === 0) return find.apply(this, args);
    left -= 1;
    throw new Error("the bar is torn");
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

/** Makes whatever writes a date throw, until the test is over. */
function tearCalendar(): void {
  vi.spyOn(Intl, "DateTimeFormat").mockImplementation(() => {
    throw new Error("the calendar of ada@example.com is torn");
  });
  onTestFinished(() => void vi.restoreAllMocks());
}
