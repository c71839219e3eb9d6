import { afterEach, expect, test, vi } from "vitest";
import { share, shareLinks } from "#app/features/share/share.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
afterEach(() => vi.unstubAllGlobals());

const content = { title: "A site", text: "Worth a look & more", url: "https://site.example/" };

/** Stubs a browser that has only these APIs for sharing. */
function browser(apis: { share?: unknown; writeText?: unknown }) {
  const alert = vi.fn();
  const { writeText, ...rest } = apis;
  vi.stubGlobal("navigator", { ...rest, ...(writeText ? { clipboard: { writeText } } : {}) });
  vi.stubGlobal("window", { alert });
  return { alert };
}

test.each([
  ["a failing share sheet", false, { share: () => Promise.reject(new DOMException("no", "NotAllowedError")) }],
  ["closing the share sheet", true, { share: () => Promise.reject(new DOMException("closed", "AbortError")) }],
  ["a denied clipboard", false, { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) }],
  ["a browser with neither", false, {}],
])("%s is logged, and no copy is announced", async (_, isDone, apis) => {
  const { alert } = browser(apis);
  expect(await share(content)).toBe(isDone);
  expect(log).toHaveLength(1);
  expect(alert).not.toHaveBeenCalled();
});

test("without scripts, links share the same URL by email, Facebook and WhatsApp", () => {
  const [email, facebook, whatsApp] = shareLinks(content).map(({ href }) => new URL(href));
  expect(email?.protocol).toBe("mailto:");
  expect(email?.searchParams.get("body")).toBe("Worth a look & more\n\nhttps://site.example/");
  expect(facebook?.searchParams.get("u")).toBe(content.url);
  expect(whatsApp?.searchParams.get("text")).toContain(content.url);
});
