import { setTimeout as sleep } from "node:timers/promises";
import { StepError } from "#scripts/lib/step-error.ts";

interface Asked {
  /** Where the site is asked. */
  origin: string;
  /** Which version has to answer. */
  version: string;
  /** How long a deployment may take to spread (milliseconds). */
  patience: number;
  /** Between two questions (milliseconds). */
  pause?: number;
  /** Told when the answer changes. */
  progress: (line: string) => void;
}

/** For one question (milliseconds). */
const ANSWER_LIMIT = 10_000;

const PAUSE = 2_000;

/**
 * Asks /healthcheck until the version that was deployed answers that it is well.
 *
 * @throws {StepError} with the last answer when patience ends
 */
export async function awaitHealth({ origin, version, patience, pause = PAUSE, progress }: Asked): Promise<void> {
  const end = Date.now() + patience;
  for (let last = ""; ; ) {
    const problem = await ask(origin, version);
    if (problem === null) return;
    if (problem !== last) progress(problem);
    last = problem;
    if (Date.now() + pause > end) throw giveUp(origin, patience, problem);
    await sleep(pause);
  }
}

/** @returns what is wrong, or null */
async function ask(origin: string, version: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/healthcheck`, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_LIMIT),
    });
    const text = await response.text();
    return judge(response.status, parse(text), text, version);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return name === "TimeoutError"
      ? `no answer within ${ANSWER_LIMIT / 1_000} seconds`
      : `no connection (${cause?.code ?? name})`;
  }
}

interface Report {
  version?: string;
  checks?: Record<string, string>;
}

function judge(status: number, report: Report | null, text: string, version: string): string | null {
  if (report?.checks === undefined) return `status ${status}: ${text.trim().slice(0, 300) || "an empty answer"}`;
  if (report.version !== version) return "the version before still answers";
  const failed = Object.entries(report.checks).filter(([, result]) => result !== "ok");
  if (failed.length === 0 && status === 200) return null;
  return `status ${status}; ${failed.map(([store]) => stores[store] ?? store).join(" and ")} does not answer`;
}

const stores: Record<string, string> = { d1: "the database (D1)", kv: "the cache (KV)" };

function parse(text: string): Report | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function giveUp(origin: string, patience: number, problem: string): StepError {
  return new StepError(
    `The site was deployed, but ${origin}/healthcheck was not well after ${patience / 1_000} seconds:\n\n  ${problem}`,
    `A new domain can take some minutes: run npm run deploy again then, which is safe.
What the Worker itself says about it: npx wrangler tail
Back to the version before: npx wrangler rollback`,
  );
}
