import { env } from "cloudflare:test";
import { onTestFinished, vi } from "vitest";
import type { BatchMessage, EmailMessage, Mailer } from "#app/email/mailer.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";

/** When a process is killed: before a step, or after the step was carried out but before its result arrived. */
export interface Kill {
  /** The nth step, or the first whose SQL matches. */
  step: number | RegExp;
  when: "before" | "after";
}

/**
 * A database and a mailer as a process sees them that is killed at some step, as Cloudflare ends an invocation: from then
 * on nothing it does has any effect, and no promise is settled, so that no code of it catches anything. A step is a D1
 * statement, a D1 batch or a request to the provider.
 */
export function killedProcess<M extends Mailer>(mailer: M, kill: Kill) {
  // A process that is killed sees no timeout either.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let steps = 0;
  let isDead = false;
  const died = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});

  async function step<T>(work: () => Promise<T>, statements: { sql: string }[] = []): Promise<T> {
    if (isDead) return never;
    steps += 1;
    const { step: at } = kill;
    const isLast = typeof at === "number" ? steps === at : statements.some(({ sql }) => at.test(sql));
    isDead = isLast;
    if (isLast && kill.when === "before") {
      died.resolve();
      return never;
    }
    const result = await work();
    if (isLast) died.resolve();
    return isDead ? never : result;
  }

  const { batch } = mailer;
  const killable: M = {
    ...mailer,
    send: (message: EmailMessage, id: string) => step(() => mailer.send(message, id)),
    ...(batch && { batch: (messages: BatchMessage[], id: string) => step(() => batch(messages, id)) }),
  };
  return {
    d1: wrapD1(env.DB, step),
    mailer: killable,
    wasKilled: () => isDead,
    /** Waits until the work is done or the process was killed. */
    untilDead: (work: Promise<unknown>) => Promise.race([work, died.promise]),
  };
}
