import { env } from "cloudflare:test";
import type { Mailer } from "#app/email/mailer.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";

/** When a process is killed: before its nth step, or after the step was carried out but before its result arrived. */
export interface Kill {
  step: number;
  when: "before" | "after";
}

/**
 * A database and a mailer as a process sees them that is killed at some step: from then on nothing it does has any effect.
 * A step is a D1 statement, a D1 batch or a request to the provider.
 */
export function killedProcess(mailer: Mailer, kill: Kill) {
  let steps = 0;
  let isDead = false;

  async function step<T>(work: () => Promise<T>): Promise<T> {
    if (isDead) throw new Error("killed");
    steps += 1;
    const isLast = steps === kill.step;
    if (isLast && kill.when === "before") isDead = true;
    if (isDead) throw new Error("killed");
    if (isLast) isDead = true;
    const result = await work();
    if (isLast) throw new Error("killed");
    return result;
  }

  const { batch } = mailer;
  if (batch === undefined) throw new Error("The mailer sends no batches");
  const killable: Mailer = {
    ...mailer,
    batch: (messages, id) => step(() => batch(messages, id)),
  };
  return { d1: wrapD1(env.DB, step), mailer: killable, wasKilled: () => isDead };
}
