import { expect, test } from "vitest";
import { capture, recordSignUp, startBarePage } from "#scripts/bench/controls.ts";
import { round } from "#scripts/bench/load.ts";
import { startWorker } from "#scripts/bench/workers.ts";

test("the bare page Worker returns the site's status, headers and bytes", async () => {
  await using site = await startWorker();
  const response = await capture(`${site.url}/`);
  expect(response).toMatchObject({ status: 200 });
  expect(response.body).toContain("</html>");
  await using bare = await startBarePage(response);
  expect(await capture(`${bare.url}/`)).toEqual(response);
});

test("a round fails on a bad response", async () => {
  await using bare = await startBarePage({ status: 404, headers: [], body: "" });
  await expect(round({ ...bare, name: "gone" }, 20)).rejects.toThrow("0 of 20");
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
