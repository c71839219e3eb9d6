import fc from "fast-check";
import { expect, test } from "vitest";
import { outboxHarness } from "#tests/support/pool/emails.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { postWebhook, resendEvent } from "#tests/support/pool/resend-webhook.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/start.ts";

const log = freshStorageForEachTest();
const seed = fuzzSeed();

const CASES = fuzzCases(1_000);

const anyType = fc.constantFrom("email.bounced", "email.complained", "email.failed", "email.suppressed", "__proto__");
const anyTags = fc.oneof(
  fc.dictionary(fc.constantFrom("email_id", "__proto__", "name"), fc.jsonValue()),
  fc.array(fc.record({ name: fc.constantFrom("email_id", "x"), value: fc.jsonValue() })),
);
const anyData = fc.record(
  { to: fc.oneof(fc.jsonValue(), fc.array(fc.string())), tags: anyTags, bounce: fc.jsonValue() },
  { requiredKeys: [] },
);
const anyBody = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.json(),
  fc.record({ type: anyType, data: fc.oneof(anyData, fc.jsonValue()) }).map((body) => JSON.stringify(body)),
  fc.tuple(anyType, anyData).map(([type, data]) => JSON.stringify(resendEvent(type, "x", "nobody", data))),
);
const anyHeader = fc.stringMatching(/^[!-~]{0,40}$/);

test(`${CASES} random bodies, signed or with random headers: documented responses, and nothing about others changes`, async () => {
  await outboxHarness().join("ada@example.com");
  const stored = async () => [await rows("waitlist_emails"), await rows("email_outbox")];
  const before = await stored();
  await fc.assert(
    fc.asyncProperty(anyBody, anyHeader, fc.boolean(), async (body, header, signed) => {
      const forged = { "svix-signature": `v1,${header}`, "svix-timestamp": header };
      const response = await postWebhook(body, signed ? {} : { headers: forged });
      // A lone surrogate is sent as U+FFFD, and a byte order mark is not read: the signature is for another text.
      const isSentAsSigned = body.isWellFormed() && !body.startsWith("\ufeff");
      const expected = signed && isSentAsSigned ? [200, 400] : [200, 400, 401];
      expect(expected).toContain(response.status);
      if (!signed) expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ ok: response.status === 200 });
    }),
    { seed, numRuns: CASES },
  );
  expect(await stored()).toEqual(before);
  expect(log.filter((line) => line.includes("@"))).toEqual([]);
});
