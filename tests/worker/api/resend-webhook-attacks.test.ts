import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { outboxHarness } from "#tests/support/pool/outbox-harness.ts";
import { bounce, postWebhook, resendEvent, WEBHOOK_SECRET } from "#tests/support/pool/resend-webhook.ts";
import { apiSite } from "#tests/support/pool/site.ts";

freshStorageForEachTest();
captureLog();

const ADA = "ada@example.com";
const body = JSON.stringify(resendEvent("email.complained", "an-id", ADA));
const time = () => Math.floor(Date.now() / 1_000);

/** Posts a request with any headers, as someone does who has seen a genuine one. */
function post(sent: BodyInit, headers: Record<string, string>) {
  const site = apiSite({ RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET } as Partial<Env>);
  return site.request("/api/webhooks/resend", { method: "POST", headers, body: sent });
}

function signed(id: string, at: number, text: string) {
  const signature = new Webhook(WEBHOOK_SECRET).sign(id, new Date(at * 1_000), text);
  return { "svix-id": id, "svix-timestamp": String(at), "svix-signature": signature };
}

const stored = async () => [await rows("waitlist_emails"), await rows("suppressions"), await rows("provider_events")];

beforeEach(async () => {
  await outboxHarness().join(ADA);
});

describe("with the signature of a genuine request", () => {
  test("no other id, time or body is accepted, nor the same characters divided in another way", async () => {
    const [before, at] = [await stored(), time()];
    const headers = signed("msg_1", at, body);
    const attempts: [BodyInit, Record<string, string>][] = [
      [body, { ...headers, "svix-id": "msg_2" }],
      [body, { ...headers, "svix-id": "MSG_1" }],
      [body, { ...headers, "svix-id": "msg_1." }],
      [body, { ...headers, "svix-timestamp": String(at + 1) }],
      [body, { ...headers, "svix-timestamp": String(at - 1) }],
      [`${at}.${body}`, headers],
      [body, { ...headers, "svix-id": `msg_1.${at}` }],
      [`${body} `, headers],
      [`\n${body}`, headers],
      [body.replace(ADA, "eve@example.com"), headers],
      [body.replace("complained", "bounced"), headers],
      [JSON.stringify(JSON.parse(body), null, 1), headers],
      ["", headers],
    ];
    for (const [sent, changed] of attempts) expect((await post(sent, changed)).status).toBe(401);
    expect(await stored()).toEqual(before);
    expect((await post(body, headers)).status).toBe(200);
    expect(await rows("waitlist_emails")).toMatchObject([{ status: "unsubscribed" }]);
  });

  test("the request can be repeated for five minutes, and changes nothing again", async () => {
    const headers = signed("msg_1", time(), body);
    expect((await post(body, headers)).status).toBe(200);
    const after = await stored();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(body, headers)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored()).toEqual(after);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 301_000 });
    expect((await post(body, headers)).status).toBe(401);
    vi.useRealTimers();
  });

  test("as one of a thousand signatures it counts, and a thousand wrong ones do not", async () => {
    const headers = signed("msg_1", time(), body);
    const wrong = Array(1_000)
      .fill(`v1,${"A".repeat(43)}=`)
      .join(" ");
    expect((await post(body, { ...headers, "svix-signature": wrong })).status).toBe(401);
    const list = `${wrong} ${headers["svix-signature"]}`;
    expect((await post(body, { ...headers, "svix-signature": list })).status).toBe(200);
  });
});

describe("size", () => {
  const piece = new TextEncoder().encode("x".repeat(8_192));

  test("a body without a length is read up to 64 KB", async () => {
    let pieces = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pieces += 1;
        controller.enqueue(piece);
      },
    });
    expect((await post(endless, signed("msg_1", time(), ""))).status).toBe(413);
    expect(pieces).toBeLessThan(20);
  });

  test.each([
    ["lists", "[".repeat(65_000)],
    ["objects", '{"data":'.repeat(8_000)],
    ["a number without an end", "9".repeat(65_000)],
  ])("64 KB of %s, signed, are no event: 400", async (_, text) => {
    expect((await postWebhook(text)).status).toBe(400);
  });

  test("an event with thousands of tags and unknown keys is read", async () => {
    const tags = Array.from({ length: 1_000 }, (_, n) => ({ name: `__proto__${n}`, value: "x" }));
    const event = resendEvent("email.bounced", "an-id", ADA, {
      ...bounce("Permanent"),
      tags: [...tags, { name: "__proto__", value: "email_id" }, { name: "constructor", value: "x" }],
    });
    expect((await postWebhook(event)).status).toBe(200);
    expect(await rows("suppressions")).toEqual([]);
  });
});
