import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { type Exchange, insist } from "#scripts/soak/insist.ts";
import { type Story, storyOf } from "#scripts/soak/stories.ts";
import { type EventType, sendWebhook } from "#scripts/soak/webhooks.ts";

/** The visitors, and what they and the provider do after their first email was accepted. */
export function createPeople(site: () => Promise<RunningSite>) {
  const firstEmails = new Map<string, AcceptedEmail>();
  const exchanges: Exchange[] = [];
  const begun: Promise<void>[] = [];

  async function report(email: string, emailId: string | null, kind: EventType, forged = false): Promise<void> {
    const atOnce = firstEmails.size % 2 === 0;
    exchanges.push(...(await sendWebhook(site, { email, emailId, kind, forged, atOnce })));
  }

  async function reportAll({ to, emailId }: AcceptedEmail, { events = [], forged }: Story): Promise<void> {
    for (const kind of events) await report(to, emailId, kind, forged);
    // About an email that never existed: another site's, or one whose row was replaced.
    if (events.includes("email.opened")) await report(`stranger.${to}`, crypto.randomUUID(), "email.complained");
  }

  async function use({ to: email, links }: AcceptedEmail, kind: "left" | "erased"): Promise<void> {
    const link = links.find((url) => (kind === "erased" ? url.includes("/your-data/") : url.endsWith("/one-click")));
    const body = new URLSearchParams(kind === "erased" ? { intent: "erase" } : { "List-Unsubscribe": "One-Click" });
    const path = URL.parse(link ?? "")?.pathname ?? "/no-link";
    exchanges.push({ kind, email, ...(await insist(site, path, { body })) });
  }

  return {
    /** What they and the provider requested. */
    exchanges,

    /** Begins a visitor's story with their first email. The response to the provider's client waits for early events. */
    async onAccepted(email: AcceptedEmail): Promise<void> {
      if (firstEmails.has(email.to)) return;
      firstEmails.set(email.to, email);
      const story = storyOf(email.to);
      const events = reportAll(email, story);
      begun.push(events.then(() => (story.uses === undefined ? undefined : use(email, story.uses))));
      if (story.early === true) await events;
    },

    /** Waits for the stories that have begun. */
    settled: () => Promise.all(begun),

    returning: () => [...firstEmails.keys()].filter((email) => storyOf(email).returns === true),

    /** Ends the stories. No email may be on its way to the provider: it could not be called back. */
    async finish(connections: number): Promise<void> {
      await mapConcurrently([...firstEmails.values()], connections, async (email) => {
        const { last } = storyOf(email.to);
        if (last === "erased") await use(email, last);
        else if (last !== undefined) await report(email.to, email.emailId, last);
      });
    },
  };
}
