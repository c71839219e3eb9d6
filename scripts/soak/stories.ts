import type { EventType } from "#scripts/soak/webhooks.ts";

/** What the provider reports about a visitor's first email, and what the visitor does after it. */
export interface Story {
  /** Types of events, in the order in which they arrive. `email.complained` may come before `email.delivered`. */
  events?: EventType[];
  /** Whether the events arrive before the response to the request that sent the email. */
  early?: boolean;
  /** Whether the events have a wrong signature. */
  forged?: boolean;
  /** Then uses a link of the email. */
  uses?: "left" | "erased";
  /** Later enters the address again, twice. */
  returns?: boolean;
  /** Happens last, while the email that the return caused is still being retried. */
  last?: "erased" | "email.complained";
}

/** By the visitor's number modulo {@link CYCLE}. Visitors with a story have no duplicate, and their visits are valid. */
const stories: Record<number, Story> = {
  0: { events: ["email.delivered", "email.complained"], returns: true },
  1: { events: ["email.complained", "email.delivered"], early: true, returns: true },
  4: { events: ["email.bounced"], returns: true },
  5: { events: ["email.bounced"], early: true, uses: "left", returns: true },
  6: { events: ["email.bounced/Transient", "email.delivered"] },
  8: { events: ["email.delivered"], early: true },
  9: { uses: "left", returns: true },
  10: { uses: "erased" },
  11: { uses: "left", returns: true, last: "erased" },
  14: { events: ["email.complained", "email.bounced"], forged: true },
  15: { events: ["email.opened", "domain.updated", "email.invented"] },
  16: { uses: "erased", returns: true },
  18: { events: ["email.complained"], uses: "erased", returns: true },
  19: { events: ["email.complained", "email.bounced"], early: true, returns: true },
  21: { uses: "left", returns: true, last: "email.complained" },
  24: { events: ["email.bounced"], uses: "left", returns: true },
  25: { events: ["email.complained"], early: true, forged: true },
};

const CYCLE = 40;

export function storyOf(email: string): Story {
  const [, number] = /^visitor(\d+)@/.exec(email) ?? [];
  return stories[Number(number) % CYCLE] ?? {};
}
