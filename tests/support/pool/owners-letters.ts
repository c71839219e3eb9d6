import { env } from "cloudflare:test";
import { beforeEach } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { addEntry } from "#app/waitlist/add-entry.server.ts";
import { rows } from "#tests/support/pool/database.ts";
import { type ownerBrowser, signedIn } from "#tests/support/pool/owner.ts";

interface StoredLetter {
  id: number;
  state: string;
  subject: string;
  preview_line: string;
  body: string;
  reply_to: string | null;
  audience: string;
  is_invitation: number;
  is_public: number;
  scheduled_for: number | null;
  expected: number;
}

/** What the form of a letter sends. */
export const content = {
  subject: "The market opens",
  "preview-line": "Your stall is ready",
  body: "# Welcome\r\n\r\nHello.",
};

/** An owner in London, with a host and a stallholder on the list. Call it once in a file. */
export function ownersLetters() {
  let browser: ReturnType<typeof ownerBrowser>;

  beforeEach(async () => {
    browser = await signedIn({ OWNER_TIME_ZONE: "Europe/London" });
    const db = openDb(env.DB);
    for (const [name, source] of Object.entries({ ada: "stall", bob: "tablet" })) {
      await addEntry(db, { email: `${name}@example.com`, source, columns: {}, now: Date.now() });
    }
  });

  return {
    browser: () => browser,
    post: (path: string, fields: Record<string, string>) => browser.post(`/owner/letters${path}`, fields),
    page: async (path: string) => (await browser.request(`/owner/letters${path}`)).body,
    write: (fields: Record<string, string> = {}) => browser.post("/owner/letters", { ...content, ...fields }),
    stored: async () => (await rows<StoredLetter>("letters")).at(-1),
    /** What the log has after the sign-in. */
    actions: async () => (await rows<{ action: string }>("owner_log")).map(({ action }) => action).slice(1),
  };
}
