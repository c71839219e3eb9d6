import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import type { RunningSite } from "#scripts/lib/running-site.ts";
import { insist } from "#scripts/soak/insist.ts";
import { type Story, storyOf } from "#scripts/soak/stories.ts";
import { webhookSender } from "#scripts/soak/webhooks.ts";

/** Something that ends email to an address, and when its 2xx or 3xx response arrived (milliseconds since 1970). */
export interface Departure {
  email: string;
  kind: "complaint" | "bounce" | "left" | "erased";
  at: number;
}

/** Uses of links that had another response than expected. */
export interface FailedLink {
  email: string;
  status: number;
  body: string;
}

/** The visitors with a story, and what they and the provider do after their first email was accepted. */
export function createPeople(site: () => Promise<RunningSite>) {
  const webhooks = webhookSender(site);
  const firstEmails = new Map<string, AcceptedEmail>();
  const departures: Departure[] = [];
  const failedLinks: FailedLink[] = [];
  const running: Promise<void>[] = [];

  async function report(email: AcceptedEmail, type: string, forged = false): Promise<void> {
    const { to, emailId } = email;
    const confirmed = await webhooks.report(
      type,
      { to, emailId: emailId ?? "" },
      { forged, atOnce: firstEmails.size % 2 === 0 },
    );
    const kind = type === "email.complained" ? "complaint" : type === "email.bounced" ? "bounce" : null;
    if (kind !== null && confirmed && !forged) departures.push({ email: to, kind, at: Date.now() });
  }

  async function reportAll(email: AcceptedEmail, { events = [], forged = false }: Story): Promise<void> {
    for (const type of events) await report(email, type, forged);
    // An email that never existed: another site's, or one whose row was replaced.
    const stranger = { to: `stranger.${email.to}`, emailId: crypto.randomUUID() };
    if (events.includes("email.opened")) await webhooks.report("email.complained", stranger);
  }

  async function use(email: AcceptedEmail, action: "unsubscribe" | "erase"): Promise<void> {
    const isErasure = action === "erase";
    const link = email.links.find((url) => (isErasure ? url.includes("/your-data/") : url.endsWith("/one-click")));
    const body = new URLSearchParams(isErasure ? { intent: "erase" } : { "List-Unsubscribe": "One-Click" });
    const { response, body: answer } = await insist(site, ({ url }) =>
      fetch(url + new URL(link ?? "/no-link", url).pathname, { method: "POST", body, redirect: "manual" }),
    );
    if (response.status === (isErasure ? 303 : 200)) {
      departures.push({ email: email.to, kind: isErasure ? "erased" : "left", at: Date.now() });
    } else failedLinks.push({ email: email.to, status: response.status, body: answer });
  }

  return {
    departures: () => departures,
    failedLinks: () => failedLinks,
    webhooks: webhooks.sent,

    /** Begins a visitor's story with their first email. The response to the provider's client waits for early events. */
    async onAccepted(email: AcceptedEmail): Promise<void> {
      const story = storyOf(email.to);
      if (story === undefined || firstEmails.has(email.to)) return;
      firstEmails.set(email.to, email);
      const events = reportAll(email, story);
      const rest = events.then(() => (story.uses === undefined ? undefined : use(email, story.uses)));
      running.push(rest);
      if (story.early === true) await events;
    },

    /** Waits for the stories that have begun. */
    async settled(): Promise<void> {
      await Promise.all(running);
    },

    returning: () => [...firstEmails.keys()].filter((email) => storyOf(email)?.returns === true),

    /** Ends the stories. No email may be on its way to the provider: it could not be called back. */
    async finish(connections: number): Promise<void> {
      await mapConcurrently([...firstEmails.values()], connections, async (email) => {
        const last = storyOf(email.to)?.last;
        if (last === "erase") await use(email, "erase");
        else if (last !== undefined) await report(email, last);
      });
    },
  };
}
