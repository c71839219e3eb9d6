import { mapConcurrently } from "#scripts/lib/map-concurrently.ts";
import type { AcceptedEmail } from "#scripts/lib/resend-account.ts";
import { type CurrentSite, type Exchange, insist, sendWebhook } from "#scripts/soak/requests.ts";

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

type Step = "left" | "erased" | `${string}.${string}`;

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

function storyOf(email: string): Story {
  const [, number] = /^visitor(\d+)@/.exec(email) ?? [];
  return stories[Number(number) % 40] ?? { steps: [] };
}

/** The visitors, and what they and the provider do after their first email was accepted. */
export function createPeople(site: CurrentSite) {
  const firstEmails = new Map<string, AcceptedEmail>();
  const exchanges: Exchange[] = [];
  const begun: Promise<void>[] = [];

  async function take(step: Step, { to: email, emailId, links }: AcceptedEmail, forged = false): Promise<void> {
    if (step === "left" || step === "erased") {
      const link = links.find((url) => (step === "erased" ? url.includes("/your-data/") : url.endsWith("/one-click")));
      const body = new URLSearchParams(step === "erased" ? { intent: "erase" } : { "List-Unsubscribe": "One-Click" });
      const path = URL.parse(link ?? "")?.pathname ?? "/no-link";
      exchanges.push(await insist(site, { kind: step, email }, path, { body }));
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
      if (firstEmails.has(email.to)) return;
      firstEmails.set(email.to, email);
      const story = storyOf(email.to);
      const told = tell(story, email);
      begun.push(told);
      if (story.early) await told;
    },

    /** Waits for the stories that have begun. */
    settled: () => Promise.all(begun),

    returning: () => [...firstEmails.keys()].filter((email) => storyOf(email).returns === true),

    /** Ends the stories. No email may be on its way to the provider: it could not be called back. */
    async finish(connections: number): Promise<void> {
      await mapConcurrently([...firstEmails.values()], connections, async (email) => {
        const { last } = storyOf(email.to);
        if (last !== undefined) await take(last, email);
      });
    },
  };
}
