import { startBareSignUp } from "#scripts/bench/controls.ts";
import { explainCpu } from "#scripts/bench/explain.ts";
import { compare, LOAD, ratio, SHORT_LOAD, type SideResult } from "#scripts/bench/load.ts";
import { type GroupOptions, type Outcome, wantsReason } from "#scripts/bench/outcome.ts";
import { type RunningWorker, startSite } from "#scripts/bench/workers.ts";

/** Sign-ups through the API, beside a bare Worker that does the same batch on the same schema. */
export async function measureSignUp(options: GroupOptions): Promise<Outcome> {
  await using site = await startSite({ door: "socket" });
  await using simulating = await startSite({ door: "socket", rateLimits: "miniflare" });
  await using bare = await startBareSignUp();
  const nextRequest = newcomers();
  const [signUp, simulated, floor] = await compare(
    [
      { ...site, name: "the site", nextRequest },
      { ...simulating, name: "the site, with Miniflare's rate limits", nextRequest },
      { ...bare, name: "bare Worker, same batch", nextRequest },
    ],
    options.short ? SHORT_LOAD : LOAD,
  );
  const rows = [await requireRows(site, signUp), await requireRows(bare, floor)];

  const figures = { signUp: ratio(signUp, floor) };
  const requests = options.short ? 50 : 800;
  const title = "CPU while people sign up, the simulated D1 left out";
  return {
    figures,
    comparison: { what: "Sign-up", sides: [floor, signUp, simulated] },
    tables: [
      {
        title: "What the sign-ups left behind",
        head: ["", "answered 201", "entries", "mails owed"],
        rows,
      },
    ],
    reasons: wantsReason("signUp", figures.signUp, options)
      ? [await explainCpu({ title, requests, nextRequest: newcomers() })]
      : [],
  };
}

/** Requests of people who have never been here, each from an address of their own, or the gate would answer instead. */
function newcomers() {
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

/**
 * Both sides did what they claim: an entry and a mail in the outbox for each sign-up that was answered.
 *
 * @throws when they did not, since the ratio would mean nothing
 */
async function requireRows(worker: RunningWorker, { name, answers }: SideResult): Promise<(string | number)[]> {
  const entries = await worker.count("waitlist_emails");
  const mails = await worker.count("mail_outbox");
  if (entries !== answers || mails !== answers) {
    throw new Error(`${name}: ${answers} sign-ups were answered, but there are ${entries} entries and ${mails} mails`);
  }
  return [name, answers, entries, mails];
}
