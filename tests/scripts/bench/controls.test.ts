import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, startBarePage, startBareSignUp, withoutNonces, withoutScript } from "#scripts/bench/controls.ts";
import { round } from "#scripts/bench/load.ts";
import { measureMemory } from "#scripts/bench/memory.ts";
import { recordSignUp } from "#scripts/bench/sign-up-batch.ts";
import { type RunningWorker, startControl, startSite } from "#scripts/bench/workers.ts";
import { withinOneMinute } from "#tests/support/minute.ts";

let site: RunningWorker;

beforeAll(async () => {
  site = await startSite({ door: "socket" });
});

afterAll(() => site[Symbol.asyncDispose]());

test("the bare page Worker returns the site's status, headers and bytes, save for nonces", async () => {
  const answer = await ask(`${site.url}/`);
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toContain("</html>");
  await using bare = await startBarePage(answer);
  expect(await ask(`${bare.url}/`)).toEqual(answer);
  expect(withoutNonces(await ask(`${site.url}/`))).toEqual(withoutNonces(answer));
});

test("the bare sign-up Worker leaves behind what the site leaves behind", async () => {
  await using bare = await startBareSignUp();
  for (const { url } of [site, bare]) {
    expect([await signUp(url, "ada@example.com"), await signUp(url, "grace@example.com")]).toEqual([201, 201]);
  }
  for (const table of ["waitlist_emails", "mail_outbox"]) {
    expect([table, await site.count(table)]).toEqual([table, 2]);
    expect([table, await bare.count(table)]).toEqual([table, 2]);
  }
});

test("its statements are the site's own: an entry, two kinds of mail, and what is there", async () => {
  const statements = (await recordSignUp()).map(({ sql }) => sql.split(" ", 3).join(" "));
  expect(statements).toEqual([
    'insert into "waitlist_emails"',
    'insert into "mail_outbox"',
    'insert into "mail_outbox"',
    'select "status" from',
  ]);
});

test("rate limits hold under the bench, so that fresh clients are needed", async () => {
  const statuses = await withinOneMinute(async (run) => {
    const client = { "CF-Connecting-IP": `192.0.2.${run}` };
    const answers: number[] = [];
    for (let n = 0; n < 31; n += 1) answers.push(await signUp(site.url, `crowd${run}-${n}@example.com`, client));
    return answers;
  });
  expect(statuses).toEqual([...Array(30).fill(201), 429]);
});

test("load is counted by answers, and a bad answer is no result", async () => {
  await using bare = await startBarePage({ status: 404, headers: [], body: "" });
  await expect(round({ ...bare, name: "gone" }, 20, 2)).rejects.toThrow("0 of 20");
  expect(await round({ ...site, name: "site" }, 20, 2)).toMatchObject({ answers: 20 });
});

test("memory is that of the runtime, and it grows when something is kept", async () => {
  const script = `
    const kept = [];
    export default { fetch() { kept.push(new Uint8Array(1_000_000).fill(1)); return new Response("kept"); } };
  `;
  await using hoarder = await startControl({ door: "socket", name: "hoarder", script });
  const { warm, peak } = await measureMemory({ ...hoarder, name: "hoarder" }, 20);
  expect(peak - warm).toBeGreaterThan(10_000_000);
});

test("a page without script keeps everything else", () => {
  const html = '<head><link rel="modulepreload" href="/a.js"><link rel="stylesheet" href="/s.css"></head>';
  const scripts = '<script type="module" async="">import "/a.js"</script><script>1</script>';
  expect(withoutScript(`${html}<p>Words</p>${scripts}`)).toBe(
    '<head><link rel="stylesheet" href="/s.css"></head><p>Words</p>',
  );
});

async function signUp(url: string, email: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/api/signup`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ email }),
  });
  await response.arrayBuffer();
  return response.status;
}
