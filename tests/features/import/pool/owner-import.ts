import { env } from "cloudflare:test";
import type { OwnerBrowser } from "#tests/support/pool/owner.ts";

/** The fields of the form that says how a file is to be read, without its columns. */
export const importSettings = { intent: "check", "consent-date": "2026-10-05", note: "Paper list", welcome: "no" };

/** Posts the form with a file to import. */
export function uploadFile(browser: OwnerBrowser, content: BlobPart, name = "list.csv") {
  const form = new FormData();
  form.set("file", new File([content], name));
  return postUpload(browser, form);
}

/** Posts any body in its place. */
export function postUpload(browser: OwnerBrowser, body: BodyInit, headers: Record<string, string> = {}) {
  return browser.request("/owner/import", { method: "POST", body, headers: { Origin: env.SITE_URL, ...headers } });
}
