import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import { type CurrentSite, clientOf, type Exchange, insist, sendWebhook } from "#scripts/soak/requests.ts";

/** What the provider reports about a visitor's first email, and what the visitor does after it. */
interface Story {
  /**
   * Types of events, in the order in which they arrive, and the links that are used. `email.complained` may come before
   * `email.delivered`.
   */
  steps: Step[];
  /** Whether the steps precede the response to the request that sent the email. */
  early?: boolean;
  /** Whether the events have a wrong signature. */
  forged?: boolean;
  /** Later enters the address again, twice. */
  returns?: boolean;
  /** Happens last, while the email that the return caused is still being retried. */
  last?: Step;
}

type Step = "left" | "never" | "erased" | `${string}.${string}`;

/** What the links in emails lead to, by the forms that are posted there. */
const forms: Record<string, { link: (url: string) => boolean; fields: Record<string, string> }> = {
  left: { link: (url) => url.endsWith("/one-click"), fields: { "List-Unsubscribe": "One-Click" } },
  never: { link: (url) => url.includes("/your-data/"), fields: { intent: "never" } },
  erased: { link: (url) => url.includes("/your-data/"), fields: { intent: "erase" } },
};

/** By the visitor's number modulo 40. Visitors with a story have no duplicate, and their visits are valid. */
const stories: Record<number, Story> = {
  0: { steps: ["email.delivered", "email.complained"], returns: true },
  1: { steps: ["email.complained", "email.delivered"], early: true, returns: true },
  4: { steps: ["email.bounced"], returns: true },
  5: { steps: ["email.bounced", "left"], early: true, returns: true },
  6: { steps: ["email.bounced/Transient", "email.delivered"] },
  8: { steps: ["email.delivered"], early: true },
  9: { steps: ["left"], returns: true },
  10: { steps: ["erased"] },
  11: { steps: ["left"], returns: true, last: "erased" },
  14: { steps: ["email.complained", "email.bounced"], forged: true },
  15: { steps: ["email.opened", "domain.updated", "email.invented"] },
  16: { steps: ["erased"], returns: true },
  18: { steps: ["email.complained", "erased"], returns: true },
  19: { steps: ["email.complained", "email.bounced"], early: true, returns: true },
  21: { steps: ["left"], returns: true, last: "email.complained" },
  24: { steps: ["email.bounced", "left"], returns: true },
  25: { steps: ["email.complained"], early: true, forged: true },
};

/** Half of the addresses of a flood do not exist. */
function storyOf(email: string): Story {
  const [, name, number] = /^([a-z]+)(\d+)@/.exec(email) ?? [];
  if (name === "flood") return { steps: Number(number) % 2 === 0 ? ["email.bounced"] : [] };
  return stories[Number(number) % 40] ?? { steps: [] };
}

/** How people leave while a letter is being sent to them. */
const departures: Step[] = ["left", "never", "erased", "email.complained"];

/** People who leave while a letter is being sent, at most. */
const LEAVERS = 12;

/** The visitors, and what they and the provider do after their first email was accepted. */
export function createPeople(site: CurrentSite) {
  const firstEmails = new Map<string, AcceptedEmail>();
  const exchanges: Exchange[] = [];
  const begun: Promise<void>[] = [];

  async function take(step: Step, { to: email, emailId, links }: AcceptedEmail, forged = false): Promise<void> {
    const form = forms[step];
    if (form !== undefined) {
      const path = URL.parse(links.find(form.link) ?? "")?.pathname ?? "/no-link";
      const headers = { "CF-Connecting-IP": clientOf(email) };
      exchanges.push(
        await insist(site, { kind: step, email }, path, { headers, body: new URLSearchParams(form.fields) }),
      );
    } else {
      const atOnce = firstEmails.size % 2 === 0;
      exchanges.push(...(await sendWebhook(site, { kind: step, email, forged }, emailId, atOnce)));
    }
  }

  async function tell({ steps, forged }: Story, email: AcceptedEmail): Promise<void> {
    for (const step of steps) await take(step, email, forged);
    // About an email that never existed: another site's, or one whose row was replaced.
    const stranger = { ...email, to: `stranger.${email.to}`, emailId: crypto.randomUUID() };
    if (steps.includes("email.opened")) await take("email.complained", stranger);
  }

  return {
    /** What they and the provider requested. */
    exchanges,

    /** Begins a visitor's story with their first email. The response to the provider's client waits for early steps. */
    async onAccepted(email: AcceptedEmail): Promise<void> {
      if (email.emailId === null || firstEmails.has(email.to)) return;
      firstEmails.set(email.to, email);
      const story = storyOf(email.to);
      const told = tell(story, email);
      begun.push(told);
      if (story.early) await told;
    },

    /** Waits for the stories that have begun. */
    settled: () => Promise.all(begun),

    returning: () => [...firstEmails.keys()].filter((email) => storyOf(email).returns === true),

    /** Some of these addresses leave, each in another way: none that has a story. */
    async leave(emails: string[]): Promise<void> {
      const idle = emails.filter((email) => firstEmails.has(email) && storyOf(email).steps.length === 0);
      const every = Math.ceil(idle.length / LEAVERS);
      const leavers = idle.filter((_, n) => n % every === 0);
      for (const [n, email] of leavers.entries()) {
        const first = firstEmails.get(email);
        // One way after the other, so that each batch of the letter meets few of them.
        const step = departures[Math.floor((n * departures.length) / leavers.length)];
        if (first !== undefined && step !== undefined) await take(step, first);
      }
    },

    /** Ends the stories. No email may be on its way to the provider: it could not be called back. */
    async finish(connections: number): Promise<void> {
      await mapConcurrently([...firstEmails.values()], connections, async (email) => {
        const { last } = storyOf(email.to);
        if (last !== undefined) await take(last, email);
      });
    },
  };
}
