import { afterEach, expect, test, vi } from "vitest";
import { share } from "#app/pages/share/share.ts";
import { shareLinks } from "#app/pages/share/share-links.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();
afterEach(() => vi.unstubAllGlobals());

const shared = { title: "A site", text: "Worth a look & more", url: "https://site.example/" };

/** A browser with the given ways to share. */
function browser(ways: { share?: unknown; writeText?: unknown }) {
  const alert = vi.fn();
  const { writeText, ...rest } = ways;
  vi.stubGlobal("navigator", { ...rest, ...(writeText ? { clipboard: { writeText } } : {}) });
  vi.stubGlobal("window", { alert });
  return { alert };
}

test("where the device can share, its own sheet gets the link and nothing is copied", async () => {
  const open = vi.fn();
  const writeText = vi.fn();
  const { alert } = browser({ share: open, writeText });
  await share(shared);
  expect(open).toHaveBeenCalledExactlyOnceWith(shared);
  expect(writeText).not.toHaveBeenCalled();
  expect(alert).not.toHaveBeenCalled();
});

test("elsewhere the link is copied, and the visitor is told", async () => {
  const writeText = vi.fn();
  const { alert } = browser({ writeText });
  await share(shared);
  expect(writeText).toHaveBeenCalledExactlyOnceWith(shared.url);
  expect(alert).toHaveBeenCalledExactlyOnceWith("Link copied to clipboard!");
});

test.each([
  ["a sheet that fails", { share: () => Promise.reject(new DOMException("no", "NotAllowedError")) }],
  ["a clipboard that refuses", { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) }],
  ["a browser without either", {}],
])("%s is logged, and nobody is told that a link was copied", async (_, ways) => {
  const { alert } = browser(ways);
  await share(shared);
  expect(log).toHaveLength(1);
  expect(alert).not.toHaveBeenCalled();
});

test("a visitor who closes the sheet has not failed", async () => {
  browser({ share: () => Promise.reject(new DOMException("closed", "AbortError")) });
  await share(shared);
  expect(log).toEqual([]);
});

test("without scripts, links carry the same address to mail, Facebook and WhatsApp", () => {
  const [mail, facebook, whatsApp] = shareLinks(shared).map(({ href }) => new URL(href));
  expect(mail?.protocol).toBe("mailto:");
  expect(mail?.searchParams.get("body")).toBe("Worth a look & more\n\nhttps://site.example/");
  expect(facebook?.searchParams.get("u")).toBe(shared.url);
  expect(whatsApp?.searchParams.get("text")).toContain(shared.url);
});
