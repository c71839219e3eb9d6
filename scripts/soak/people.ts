import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import { type CurrentSite, clientOf, type Exchange, insist, numberOf, sendWebhook } from "#scripts/soak/requests.ts";

/** An event that the provider reports, or the use of a link. */
type Step = "left" | "never" | "erased" | `email.${string}`;

/** What the links in emails lead to, by the forms that are posted there. */
const forms: Partial<Record<Step, { link: RegExp; fields: Record<string, string> }>> = {
  left: { link: /\/one-click$/, fields: { "List-Unsubscribe": "One-Click" } },
  never: { link: /\/your-data\//, fields: { intent: "never" } },
  erased: { link: /\/your-data\//, fields: { intent: "erase" } },
};

/**
 * What follows a visitor's first email, by their number modulo 40. Visitors with a story have no duplicate, and enter their
 * address again later. `email.complained` may come before `email.delivered`.
 */
const stories: Record<number, Step[]> = {
  0: ["email.delivered", "email.complained"],
  1: ["email.complained", "email.delivered"],
  4: ["email.bounced"],
  5: ["email.bounced", "left"],
  9: ["left"],
  10: ["erased"],
  11: ["erased"],
  14: ["left"],
  18: ["email.complained", "erased"],
  19: ["email.complained", "email.bounced"],
  24: ["email.bounced", "left"],
};

/** Half of the addresses of a flood do not exist. */
function storyOf(email: string): Step[] {
  if (email.startsWith("flood")) return numberOf(email) % 2 === 0 ? ["email.bounced"] : [];
  return stories[numberOf(email) % 40] ?? [];
}

/** How people leave while a letter is being sent to them. */
const departures: Step[] = ["left", "never", "erased", "email.complained"];

/** People who leave while a letter is being sent, at most: one in twenty of those who joined first. */
const LEAVERS = 12;

/** The visitors, and what they and the provider do after their first email was accepted. */
export function createPeople(site: CurrentSite) {
  const firstEmails = new Map<string, AcceptedEmail>();
  const exchanges: Exchange[] = [];
  const begun: Promise<void>[] = [];

  async function take(step: Step, { to: email, tags, links }: AcceptedEmail): Promise<void> {
    const about = { kind: step, email };
    const form = forms[step];
    if (form === undefined) {
      exchanges.push(...(await sendWebhook(site, about, tags["email_id"])));
    } else {
      const path = URL.parse(links.find((link) => form.link.test(link)) ?? "")?.pathname ?? "/no-link";
      const headers = { "CF-Connecting-IP": clientOf(email) };
      exchanges.push(await insist(site, about, path, { headers, body: new URLSearchParams(form.fields) }));
    }
  }

  async function tell(email: AcceptedEmail): Promise<void> {
    for (const step of storyOf(email.to)) await take(step, email);
  }

  return {
    /** What they and the provider requested. */
    exchanges,

    /** Tells a visitor's story after their first email; for odd numbers, before the response to the provider's client. */
    async onAccepted(email: AcceptedEmail): Promise<void> {
      if (email.tags["email_id"] === undefined || firstEmails.has(email.to)) return;
      firstEmails.set(email.to, email);
      const told = tell(email);
      begun.push(told);
      if (numberOf(email.to) % 2 === 1) await told;
    },

    /** Waits for the stories that have begun. */
    settled: () => Promise.all(begun),

    /** Those whom a later visit concerns. */
    returning: () => [...firstEmails.keys()].filter((email) => storyOf(email).length > 0),

    /** Some people who have no story leave, one way after the other. */
    async leave(): Promise<void> {
      const idle = [...firstEmails.values()].filter(({ to }) => storyOf(to).length === 0);
      for (const [n, email] of idle
        .filter((_, n) => n % 20 === 0)
        .slice(0, LEAVERS)
        .entries()) {
        const step = departures[n % departures.length];
        if (step !== undefined) await take(step, email);
      }
    },
  };
}
