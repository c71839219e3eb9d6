import { env } from "cloudflare:test";
import { beforeEach } from "vitest";
import { followUpVersions } from "#app/waitlist/consent-wording.ts";
import { rows } from "#tests/support/pool/database.ts";
import { type ownerBrowser, signedIn } from "#tests/support/pool/owner.ts";

interface StoredStep {
  id: number;
  days: number;
  hour: number;
  subject: string;
  body: string;
  reply_to: string | null;
  audience: string | null;
  letter_id: number | null;
  since: number | null;
}

/** What the form of a follow-up sends. */
export const followUp = { days: "3", audience: "", subject: "A good pitch", body: "Hello.\r\n\r\nThree photos." };

/** An owner in London with a series. Call it once in a file. */
export function ownersSeries() {
  let browser: ReturnType<typeof ownerBrowser>;
  beforeEach(async () => {
    browser = await signedIn({ OWNER_TIME_ZONE: "Europe/London" });
  });
  const post = (path: string, fields: Record<string, string>) => browser.post(`/owner/series${path}`, fields);
  const write = (fields: Record<string, string> = {}) => post("", { ...followUp, ...fields });

  return {
    browser: () => browser,
    post,
    write,
    /** Writes a follow-up and switches it on. @param id the one that it gets */
    async writeOn(id: number, fields: Record<string, string> = {}) {
      await write(fields);
      await post(`/${id}`, { intent: "switch-on" });
    },
    page: async (path: string) => (await browser.request(`/owner/series${path}`)).body,
    steps: () => rows<StoredStep>("series_steps"),
    /** What the log has after the sign-in. */
    actions: async () => (await rows<{ action: string }>("owner_log")).map(({ action }) => action).slice(1),
  };
}

/** Adds `person1@example.com` and so on, who joined at a time (milliseconds since 1970) and agreed to follow-ups. */
export async function joined(count: number, at: number, first = 1): Promise<void> {
  await env.DB.prepare(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
    INSERT INTO waitlist_emails (email, metadata, created_at, consent_version)
    SELECT 'person' || CAST(n + ?2 - 1 AS integer) || '@example.com', '{}', ?3, ?4 FROM numbers`)
    .bind(count, first, at, followUpVersions[0] ?? "")
    .run();
}
