import { capture, startBarePage, startBareSignUp } from "#scripts/bench/controls.ts";
import { cpuTime, settledCpuTime } from "#scripts/bench/cpu-time.ts";
import { signUps } from "#scripts/bench/groups/sign-up.ts";
import { median } from "#scripts/bench/median.ts";
import type { Outcome } from "#scripts/bench/outcome.ts";
import { type RunningWorker, startSite } from "#scripts/bench/workers.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";

/** How many runtimes are started for each kind of request, and how many requests follow the first one. */
const STARTS = 3;
const LATER = 20;

interface Scenario {
  /** Sends a request, which its number makes different from those before. */
  send: (worker: { url: string }, number: number) => Promise<Response>;
  /** The status of every response. */
  status: number;
}

const getPage: Scenario = { send: ({ url }) => fetch(url), status: 200 };

const nextSignUp = signUps();

const postSignUp: Scenario = {
  send: ({ url }) => {
    const { path, ...request } = nextSignUp();
    return fetch(url + path, request);
  },
  status: 201,
};

const postForm: Scenario = {
  send: ({ url }, number) =>
    fetch(url, {
      method: "POST",
      headers: { Origin: url, "CF-Connecting-IP": `10.1.0.${number}` },
      body: new URLSearchParams({ email: `form${number}@example.com` }),
    }),
  status: 201,
};

/** The sign-in page is the response to every unauthorised request. */
const getOwner: Scenario = { send: ({ url }) => fetch(`${url}/owner`), status: 403 };

/**
 * Measures the CPU time of the first request to a fresh isolate, whose modules have been evaluated, and of later ones,
 * with the work that goes on after their responses. It includes the runtime's simulators, such as D1's, so each kind has
 * a bare Worker next to it that returns a page or runs the sign-up's batch.
 */
export async function measure(): Promise<Outcome> {
  const title = "CPU time of a request, in milliseconds";
  if (Number.isNaN(cpuTime(process.pid))) {
    return { figures: [], tables: [{ title, head: [""], rows: [["left out: this system has no /proc"]] }] };
  }
  const site = (transport: "socket" | "cron") => () => startSite({ transport, vars: { OWNER_EMAIL: OWNER } });
  const [page, signUp] = await captureResponses();
  const barePage = await times(() => startBarePage(page), getPage);
  const bareSignUp = await times(() => startBareSignUp(signUp), postSignUp);
  const rows = [
    ["landing page", ...(await times(site("socket"), getPage)), ...barePage],
    ["sign-up through the API", ...(await times(site("socket"), postSignUp)), ...bareSignUp],
    ["sign-up by form, without JavaScript", ...(await times(site("socket"), postForm)), ...bareSignUp],
    ["owner's sign-in page", ...(await times(site("socket"), getOwner)), ...barePage],
    ["cron job with nothing to do", ...(await times(site("cron"), getPage)), ...barePage],
  ];
  const head = ["", "first request", "later ones", "bare Worker, first request", "bare Worker, later ones"];
  return { figures: [], tables: [{ title, head, rows }] };
}

async function captureResponses() {
  await using site = await startSite({ transport: "socket" });
  const { path, ...request } = nextSignUp();
  return [await capture(site.url), await capture(site.url + path, request)] as const;
}

/** CPU times of the first request and of later ones: medians of some fresh runtimes. */
async function times(start: () => Promise<RunningWorker>, { send, status }: Scenario): Promise<string[]> {
  const [first, later]: [number[], number[]] = [[], []];
  for (let run = 0; run < STARTS; run += 1) {
    await using worker = await start();
    const request = async (number: number) => {
      const response = await send(worker, number);
      await response.arrayBuffer();
      if (response.status !== status) throw new Error(`${response.url} returned ${response.status}`);
    };
    const before = await settledCpuTime(worker.pid);
    await request(0);
    const between = await settledCpuTime(worker.pid);
    for (let number = 1; number <= LATER; number += 1) await request(number);
    first.push(between - before);
    later.push(((await settledCpuTime(worker.pid)) - between) / LATER);
  }
  return [first, later].map((measured) => median(measured).toFixed(1));
}
