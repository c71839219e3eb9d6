import { capture, recordedCalls, startControlOf } from "#scripts/bench/controls.ts";
import { compareRates } from "#scripts/bench/load.ts";
import { atLeast, type Outcome } from "#scripts/bench/measurement.ts";
import { startWorker } from "#scripts/bench/workers.ts";

/** Compares sign-ups through the API with a bare Worker that runs the same batch and returns the same response. */
export async function measure(rounds: number): Promise<Outcome> {
  const nextRequest = signUps();
  await using worker = await startWorker();
  await using bare = await startBareSignUp();
  const sides = { site: { ...worker, nextRequest }, control: { ...bare, nextRequest } };
  const { ratio, rates, responses } = await compareRates(rounds, sides);
  for (const { count } of [worker, bare]) {
    const [entries, emails] = [await count("waitlist_emails"), await count("email_outbox")];
    if (entries === responses && emails === responses) continue;
    throw new Error(`${responses} sign-ups left ${entries} entries and ${emails} queued emails`);
  }
  return {
    figures: [atLeast("`POST /api/signup`, requests/s relative to a bare Worker", ratio, 0.85, "ratio")],
    tables: { "Sign-ups a second": [rates] },
  };
}

/** Starts a bare Worker that runs the batch of a sign-up, recorded from the site so that it never falls behind. */
async function startBareSignUp() {
  await using site = await startWorker({ calls: [] });
  const { path, ...request } = signUps()();
  const response = await capture(site.url + path, request);
  const batch = (await recordedCalls(site.url)).find(({ call }) => call.includes("INSERT INTO waitlist_emails"));
  return startControlOf(response, JSON.parse(request.body).email, batch?.statements);
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
