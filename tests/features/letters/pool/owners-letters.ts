import { beforeEach } from "vitest";
import { loggedActions, type OwnerBrowser, signedIn } from "#tests/support/pool/owner.ts";
import { join, rows } from "#tests/support/pool/start.ts";

/** A section of the pages of an owner in London, who is signed in before each test. Call it once in a file. */
export function section(root: string) {
  let browser: OwnerBrowser;
  beforeEach(async () => {
    browser = await signedIn({ OWNER_TIME_ZONE: "Europe/London" });
  });
  const post = (path: string, fields: Record<string, string>) => browser.post(`${root}${path}`, fields);
  return {
    browser: () => browser,
    post,
    /** Sends a form. @returns the page that the browser is sent to next */
    next: async (path: string, fields: Record<string, string>) => (await post(path, fields)).headers.get("Location"),
    /** Sends a form. @returns what the address of the next page says of it */
    done: async (path: string, fields: Record<string, string>) =>
      (await post(path, fields)).headers.get("Location")?.replace(/.*done=/, ""),
    page: async (path: string) => (await browser.request(`${root}${path}`)).body,
    /** What the log has after the sign-in. */
    actions: async () => (await loggedActions()).map(([action]) => action),
  };
}

type StoredLetter = Record<"state" | "body" | "audience", string> & { scheduled_for: number | null };

/** What the form of a letter sends. */
export const content = {
  subject: "The market opens",
  "preview-line": "Your stall is ready",
  body: "# Welcome\r\n\r\nHello.",
};

/** The pages of letters, with a host and a stallholder on the list. */
export function ownersLetters() {
  const pages = section("/owner/letters");
  beforeEach(async () => {
    await join("ada@example.com", { source: "stall" });
    await join("bob@example.com", { source: "tablet" });
  });
  return {
    ...pages,
    write: (fields: Record<string, string> = {}) => pages.post("", { ...content, ...fields }),
    stored: async () => (await rows<StoredLetter>("letters")).at(-1),
  };
}
