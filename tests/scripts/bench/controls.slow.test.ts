import { expect, test } from "vitest";
import { capture, recordedCalls, startControlOf } from "#scripts/bench/controls.ts";
import { signUps } from "#scripts/bench/groups/sign-up.ts";
import { round } from "#scripts/bench/load.ts";
import { startWorker } from "#scripts/bench/workers.ts";

test("the bare page Worker returns the site's status, headers and bytes", async () => {
  await using site = await startWorker();
  const response = await capture(`${site.url}/`);
  expect(response).toMatchObject({ status: 200 });
  expect(response.body).toContain("</html>");
  await using bare = await startControlOf(response);
  expect(await capture(`${bare.url}/`)).toEqual(response);
});

test("a round fails on a bad response", async () => {
  await using bare = await startControlOf({ status: 404, headers: [], body: "" });
  await expect(round(bare, 20)).rejects.toThrow("0 of 20");
});

test("the recorded batch is the site's: read the limit, insert the entry, queue its emails, select the status", async () => {
  await using site = await startWorker({ calls: [] });
  const { path, ...request } = signUps()();
  await fetch(site.url + path, request);
  const batch = (await recordedCalls(site.url)).find(({ call }) => call.startsWith("batch"));
  expect(batch?.statements.map(({ sql }) => sql.split(" ", 3).join(" "))).toEqual([
    'select "email_outbox"."created_at" as',
    'insert into "waitlist_emails"',
    'insert into "email_outbox"',
    'insert into "email_outbox"',
    'insert into "email_outbox"',
    'update "email_outbox" set',
    'select "id", "status"',
  ]);
});
