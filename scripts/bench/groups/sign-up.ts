import { capture, startBareSignUp } from "#scripts/bench/controls.ts";
import { compare, comparisonTable, ratio } from "#scripts/bench/load.ts";
import { atLeast, type BenchOptions, type Outcome } from "#scripts/bench/measurement.ts";
import { type RunningWorker, startWorker } from "#scripts/bench/workers.ts";

/** Compares sign-ups through the API with a bare Worker that runs the same batch and returns the same response. */
export async function measure({ rounds }: BenchOptions): Promise<Outcome> {
  await using site = await startWorker();
  const nextRequest = signUps();
  const { path, ...first } = nextRequest();
  await using bare = await startBareSignUp(await capture(`${site.url}${path}`, first));
  const [signUp, control] = await compare(
    { ...site, name: "the site", nextRequest },
    { ...bare, name: "bare Worker, same batch", nextRequest },
    rounds,
  );
  // One more than under load: the captured response.
  await requireRows(site, signUp.responses + 1);
  await requireRows(bare, control.responses);
  return {
    figures: [
      atLeast("`POST /api/signup`, requests/s relative to a bare Worker", ratio(signUp, control), 0.85, "ratio"),
    ],
    tables: [comparisonTable("Sign-up", signUp, control)],
  };
}

/** Sign-ups of new people, each from a different client address to stay below the rate limit. */
export function signUps() {
  let count = 0;
  return () => {
    count += 1;
    const client = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
    return {
      method: "POST" as const,
      path: "/api/signup",
      headers: { "Content-Type": "application/json", "CF-Connecting-IP": client },
      body: JSON.stringify({ email: `visitor${count}@example.com` }),
    };
  };
}

/** @throws unless each response left one entry and one queued email, since the ratio would be meaningless */
async function requireRows(worker: RunningWorker, responses: number): Promise<void> {
  const [entries, emails] = [await worker.count("waitlist_emails"), await worker.count("email_outbox")];
  if (entries !== responses || emails !== responses) {
    throw new Error(`${responses} sign-ups left ${entries} entries and ${emails} queued emails`);
  }
}
