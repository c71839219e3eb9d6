import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { CRON } from "#scripts/bench/bench-entry.ts";
import { signUps } from "#scripts/bench/groups/sign-up.ts";
import { atLeast, atMost, median, type Outcome, type Row } from "#scripts/bench/measurement.ts";
import { watchMemory } from "#scripts/bench/memory.ts";
import { startWorker } from "#scripts/bench/workers.ts";
import { createLocalSignInLink } from "#scripts/lib/local-sign-in.ts";
import { OWNER } from "#scripts/lib/owner-site.ts";
import { freePort } from "#scripts/lib/ports.ts";

const ROWS = 100_000;

/** Time between two sign-ups (milliseconds). */
const PAUSE = 100;

/** Of each call of D1 (milliseconds). */
const LATENCY = 5;

/** Time after which every request fails (milliseconds). */
const DEADLINE = 420_000;

const settings = { intent: "check", c0: "email", c2: "joined", c3: "status", c4: "owner_note" };

/** Imports the largest file that the owner's pages take, while people sign up. On Linux only. */
export async function measure(): Promise<Outcome> {
  const inspectorPort = await freePort();
  const vars = { OWNER_EMAIL: OWNER, WORKERS_PLAN: "paid" };
  await using site = await startWorker({ vars, inspectorPort, latency: LATENCY });
  // The only runtime that this process has now.
  const pid = Number(execFileSync("pgrep", ["-P", String(process.pid), "workerd"]));
  const signal = AbortSignal.timeout(DEADLINE);
  const post = async (url: string, body: FormData | URLSearchParams, Cookie = "") => {
    const headers = { Cookie, Origin: site.url };
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    if (response.status !== 303) throw new Error(`${response.status} from ${url}: ${await response.text()}`);
    return response.headers;
  };
  const link = await createLocalSignInLink(site.persistTo, site.url, OWNER);
  const cookie = (await post(link ?? "", new URLSearchParams())).get("Set-Cookie")?.split(";")[0] ?? "";
  const view = async (url: string) => (await fetch(url, { headers: { Cookie: cookie }, signal })).text();
  const nextSignUp = signUps();
  const signUp = () => {
    const { path, ...request } = nextSignUp();
    return fetch(site.url + path, { ...request, signal });
  };

  const warmUp = await signUpsDuring(() => wait(5_000), signUp);
  const alone = await signUpsDuring(() => wait(20_000), signUp);
  using memory = await watchMemory(pid, site.inspector);
  const steps: Row[] = [];
  const growth = { isolate: 0, workerd: 0 };
  const step = async (name: string, run: () => Promise<unknown>) => {
    const began = performance.now();
    const { isolate, workerd } = await memory.growthDuring(run);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    steps.push({ step: name, seconds, "isolate, MB": isolate.toFixed(), "workerd, MB": workerd.toFixed() });
    growth.isolate = Math.max(growth.isolate, isolate);
    growth.workerd = Math.max(growth.workerd, workerd);
  };
  const file = new FormData();
  file.set("file", new File([people()], "people.csv"));
  const beside = await signUpsDuring(async () => {
    let url = `${site.url}/owner/import`;
    await step("reading the file", async () => (url = site.url + (await post(url, file, cookie)).get("Location")));
    const consent = { "consent-from": "joined", note: "Paper list at the fair" };
    await step("checking it", () => post(url, new URLSearchParams({ ...settings, ...consent }), cookie));
    const checked = /name="checked" value="(\d+)"/.exec(await view(url))?.[1] ?? "";
    await step("importing it", async () => {
      await post(url, new URLSearchParams({ intent: "confirm", checked }), cookie);
      while ((await view(url)).includes("% done")) await Promise.all([fetch(site.url + CRON, { signal }), wait(2_000)]);
    });
  }, signUp);
  const groups = { "before the import": alone, "beside it": beside };
  const expected = ROWS + warmUp.answered + alone.answered + beside.answered;
  const figure = "import of 10 MB and 100,000 rows";
  return {
    figures: [
      atMost(`${figure}, growth of the isolate (MB)`, growth.isolate, 100, "number"),
      atLeast(`${figure}, sign-ups beside it that were answered`, beside.answered / beside.sent, 1, "ratio"),
      atLeast(`${figure}, people on the list afterwards`, await site.count("waitlist_emails"), expected, "number"),
      atMost(`${figure}, longest sign-up beside it`, Math.max(...beside.times), 5_000, "ms"),
    ],
    tables: {
      "Import of 10 MB and 100,000 rows: time, and growth of memory at most": steps,
      "Sign-ups, ten a second, in milliseconds": Object.entries(groups).map(([when, { sent, answered, times }]) => {
        return { when, sent, answered, median: median(times).toFixed(1), worst: Math.max(...times).toFixed() };
      }),
    },
  };
}

/** Sends a sign-up every {@link PAUSE}, without waiting for the one before. @returns how long each took (milliseconds) */
async function signUpsDuring(run: () => Promise<unknown>, signUp: () => Promise<Response>) {
  const times: number[] = [];
  let answered = 0;
  const all: Promise<void>[] = [];
  const send = async () => {
    const began = performance.now();
    const response = await signUp().catch(() => null);
    if (response?.status === 201) answered += 1;
    times.push(performance.now() - began);
  };
  const timer = setInterval(() => all.push(send()), PAUSE);
  await run().finally(() => clearInterval(timer));
  await Promise.all(all);
  return { sent: all.length, answered, times };
}

/** A file of 9.99 MB as Excel writes it. The characters that Latin-1 lacks make its text twice as large in memory. */
function people(): string {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const day = new Date(Date.UTC(2026, 0, 1) + (index % 300) * 86_400_000).toISOString().slice(0, 10);
    const status = index % 20 === 0 ? "unsubscribed" : "subscribed";
    return `person${index}@example.com,"Zoë, ${index}",${day},${status},Met at the fair – ${"x".repeat(index % 37)}\r\n`;
  });
  return `email,name,joined,status,note\r\n${rows.join("")}`;
}
