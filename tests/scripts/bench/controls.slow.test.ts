import { afterAll, beforeAll, expect, test } from "vitest";
import { capture, startBarePage, startBareSignUp, withoutNonces, withoutScript } from "#scripts/bench/controls.ts";
import { round } from "#scripts/bench/load.ts";
import { measureMemory } from "#scripts/bench/memory.ts";
import { recordSignUp } from "#scripts/bench/sign-up-batch.ts";
import { type RunningWorker, startControl, startSite } from "#scripts/bench/workers.ts";
import { withinOneMinute } from "#tests/support/minute.ts";
import { signUp } from "#tests/support/sign-up.ts";

let site: RunningWorker;

beforeAll(async () => {
  site = await startSite({ transport: "socket" });
});

afterAll(() => site[Symbol.asyncDispose]());

test("the bare page Worker returns the site's status, headers and bytes, except for nonces", async () => {
  const response = await capture(`${site.url}/`);
  expect(response).toMatchObject({ status: 200 });
  expect(response.body).toContain("</html>");
  await using bare = await startBarePage(response);
  expect(await capture(`${bare.url}/`)).toEqual(response);
  expect(withoutNonces(await capture(`${site.url}/`))).toEqual(withoutNonces(response));
});

test("the benchmarked site enforces rate limits", async () => {
  const statuses = await withinOneMinute(async (run) => {
    const client = { "CF-Connecting-IP": `192.0.2.${run}` };
    const results: number[] = [];
    for (let n = 0; n < 31; n += 1) results.push(await signUp(site.url, `crowd${run}-${n}@example.com`, client));
    return results;
  });
  expect(statuses).toEqual([...Array(30).fill(201), 429]);
});

test("a round counts its responses and fails on a bad one", async () => {
  await using bare = await startBarePage({ status: 404, headers: [], body: "" });
  await expect(round({ ...bare, name: "gone" }, 20, 2)).rejects.toThrow("0 of 20");
  expect(await round({ ...site, name: "site" }, 20, 2)).toMatchObject({ responses: 20 });
});

test("a memory leak in the runtime is measured", async () => {
  const script = `
    const leaked = [];
    export default { fetch() { leaked.push(new Uint8Array(1_000_000).fill(1)); return new Response("ok"); } };
  `;
  await using leaky = await startControl({ transport: "socket", name: "leaky", script });
  const { warm, peak } = await measureMemory({ ...leaky, name: "leaky" }, 20);
  expect(peak - warm).toBeGreaterThan(10_000_000);
});

test("the bare sign-up Worker writes the same number of rows as the site", { timeout: 120_000 }, async () => {
  await using site = await startSite({ transport: "socket" });
  await using bare = await startBareSignUp({ status: 201, headers: [], body: "{}" });
  for (const { url } of [site, bare]) {
    expect([await signUp(url, "ada@example.com"), await signUp(url, "grace@example.com")]).toEqual([201, 201]);
  }
  for (const table of ["waitlist_emails", "email_outbox"]) {
    expect([table, await site.count(table)]).toEqual([table, 2]);
    expect([table, await bare.count(table)]).toEqual([table, 2]);
  }
});

test("the recorded batch is the site's: read the limit, insert the entry, queue its emails, select the status", async () => {
  const statements = (await recordSignUp()).map(({ sql }) => sql.split(" ", 3).join(" "));
  expect(statements).toEqual([
    'select "email_outbox"."created_at" as',
    'insert into "waitlist_emails"',
    'insert into "email_outbox"',
    'insert into "email_outbox"',
    'insert into "email_outbox"',
    'update "email_outbox" set',
    'select "id", "status"',
  ]);
});

test("removing scripts from a page leaves everything else", () => {
  const html = '<head><link rel="modulepreload" href="/a.js"><link rel="stylesheet" href="/s.css"></head>';
  const scripts = '<script type="module" async="">import "/a.js"</script><script>1</script>';
  expect(withoutScript(`${html}<p>Words</p>${scripts}`)).toBe(
    '<head><link rel="stylesheet" href="/s.css"></head><p>Words</p>',
  );
});
