import { expect, test } from "vitest";
import { withoutScript } from "#scripts/bench/controls.ts";
import { recordSignUp } from "#scripts/bench/sign-up-batch.ts";

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
