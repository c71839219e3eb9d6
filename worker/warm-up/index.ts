import { sendClaimed } from "#app/email/sender.server.ts";
import { logError } from "#app/server/log.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";
import { withStandIns } from "#worker/warm-up/global-scope.ts";
import { SITE_URL, sampleEmail, sampleEnv } from "#worker/warm-up/sample-env.ts";

interface Handlers {
  fetch(request: Request, env: Env, execution: ExecutionContext): Response | Promise<Response>;
  scheduled(env: Env, execution: ExecutionContext): Promise<void>;
}

/** The headers of a request that counts as a visit. */
const VISIT = {
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Site": "cross-site",
  Referer: "https://social.example/",
  "User-Agent": "Mozilla/5.0",
};

/** One for each kind of work that a first request might have to do. */
const requests = [
  () => new Request(`${SITE_URL}/?utm_source=newsletter`, { headers: VISIT }),
  () => post("/", "application/x-www-form-urlencoded", "email=ada%40example.com"),
  () => post("/api/signup", "application/json", '{"email":"ada@example.com"}'),
  () => post("/api/send-welcome", "application/json", '{"email":"ada@example.com"}'),
  () => new Request(`${SITE_URL}/owner`),
];

function post(path: string, type: string, body: string): Request {
  const headers = { Origin: SITE_URL, "Content-Type": type, "Content-Length": String(body.length) };
  return new Request(SITE_URL + path, { method: "POST", headers, body });
}

/** How many steps of promises the warm-up may take. It takes about a tenth of them. */
const MAX_STEPS = 5_000;

/**
 * Handles some requests while the Worker starts up, and drops the responses. The runtime compiles a function when it first
 * runs, which would cost the first visitor of an isolate more CPU time than the request itself. Cloudflare's free plan
 * allows a request 10 ms, and the start-up a second.
 * https://developers.cloudflare.com/workers/platform/limits/
 *
 * Never rejects and always ends, whatever the runtime refuses: the first request is slower then, and the log says why.
 */
export async function warmUp(handlers: Handlers): Promise<void> {
  const failures: unknown[] = [];
  await withStandIns(async () => {
    const work = handleAll(handlers).catch((error: unknown) => failures.push(error));
    // A module whose evaluation never ends keeps the Worker from starting.
    const end = steps(MAX_STEPS).then(() => failures.push(new Error("it did not end")));
    await Promise.race([work, end]);
  });
  for (const failure of failures) logError("warm-up-failed", failure);
}

/** @throws if a request fails, or no email is sent */
async function handleAll({ fetch, scheduled }: Handlers): Promise<void> {
  const { env, sent } = sampleEnv();
  const work: Promise<unknown>[] = [];
  const execution = { waitUntil: (promise: Promise<unknown>) => work.push(promise) } as unknown as ExecutionContext;
  for (const request of requests) {
    const response = await fetch(request(), env, execution);
    await response.text();
    if (response.status >= 500) throw new Error(`${response.status} for ${request().url}`);
  }
  await scheduled(env, execution);
  // The database is empty, so that the run above had none to send.
  const { mailer, ...app } = createAppContext(env, execution, added);
  if (mailer !== null) await sendClaimed({ ...app, mailer }, [sampleEmail]);
  await Promise.all(work);
  if (sent.length === 0) throw new Error("no email was sent");
}

async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await null;
}
