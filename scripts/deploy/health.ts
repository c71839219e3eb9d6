import { setTimeout as sleep } from "node:timers/promises";
import { StepError } from "#scripts/lib/step-error.ts";

interface HealthOptions {
  origin: string;
  /** The deployed version, which must respond. */
  version: string;
  /** How long a deployment may take to spread (milliseconds). */
  patience: number;
  /** Between two checks (milliseconds). */
  pause?: number;
  /** Called when the problem changes. */
  progress: (line: string) => void;
}

/** For one request (milliseconds). */
const TIMEOUT = 10_000;

/**
 * Polls /healthcheck until the deployed version reports that it is healthy.
 *
 * @throws {StepError} with the last problem when `patience` is over
 */
export async function waitUntilHealthy({ origin, version, patience, pause = 2_000, progress }: HealthOptions) {
  const end = Date.now() + patience;
  for (let last = ""; ; ) {
    const problem = await findProblem(origin, version);
    if (problem === null) return;
    if (problem !== last) progress(problem);
    last = problem;
    if (Date.now() + pause > end) {
      throw new StepError(
        `The site was deployed, but ${origin}/healthcheck was not healthy after ${patience / 1_000} seconds:\n\n  ${problem}`,
        `A new domain can take a few minutes. Run npm run deploy again later; it is safe to repeat.
To see the Worker's log: npx wrangler tail
To return to the previous version: npx wrangler rollback`,
      );
    }
    await sleep(pause);
  }
}

/** @returns what is wrong, or null when healthy */
async function findProblem(origin: string, version: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(`${origin}/healthcheck`, { redirect: "manual", signal });
    const report: { ok?: boolean; version?: string } = await response
      .clone()
      .json()
      .catch(() => ({}));
    if (report.version !== undefined && report.version !== version) return "the previous version is still responding";
    if (report.ok && response.status === 200 && report.version === version) return null;
    return `status ${response.status}: ${(await response.text()).trim().slice(0, 300) || "an empty response"}`;
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === "TimeoutError"
      ? `no response within ${TIMEOUT / 1_000} seconds`
      : `no connection (${cause?.code ?? name})`;
  }
}
