import type { FairProblem } from "#app/features/fair/protocol.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** How long the server may take. Networks at fairs are slow. */
const TIMEOUT: Millis = 30_000;

/** `problem`: the server refuses. `later`: there is no network, or it did not answer as it should. */
type PostOutcome<Data> =
  | { kind: "data"; data: Data; startedAt: EpochMillis }
  | { kind: "problem"; problem: FairProblem }
  | { kind: "later" };

/** @param key the device's key; absent while it is being armed */
export async function post<Data>(path: string, body: object, key?: string): Promise<PostOutcome<Data>> {
  const startedAt = Date.now();
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      cache: "no-store",
      // Nothing else that the browser may hold belongs here.
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    // A network's sign-in page may answer with 200 and HTML.
    const data = (await response.json()) as Partial<{ now: unknown; problem: unknown }>;
    if (response.ok && typeof data.now === "number") return { kind: "data", data: data as Data, startedAt };
    if (typeof data.problem === "string") return { kind: "problem", problem: data as FairProblem };
  } catch {
    // No network, or a response that is not JSON.
  }
  return { kind: "later" };
}
