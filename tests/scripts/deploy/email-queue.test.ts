import { expect, test } from "vitest";
import { emailQueue, subscribe } from "#scripts/deploy/email-queue.ts";
import { cloudflare, remoteWaitlistForEachTest, signedIn } from "#tests/support/cloudflare/remote-waitlist.ts";

const worker = { name: "market", sendsEmail: true };
const sender = { MAIL_FROM: "hello@Send.market.test" };

test.each<[string, typeof worker, Record<string, string>, string[], string | null]>([
  ["Cloudflare sends the email", worker, sender, ["LINK_SECRET"], "market-email-events"],
  ["Resend does", worker, sender, ["RESEND_API_KEY"], null],
  ["there is no sender", worker, {}, [], null],
  ["Cloudflare's email service is not bound", { ...worker, sendsEmail: false }, sender, [], null],
  ["the Worker's name has an underscore", { ...worker, name: "My_Market" }, sender, [], "my-market-email-events"],
  ["its name is anything", { ...worker, name: "../$(id) 🛒" }, sender, [], "-----id-----email-events"],
  ["its name is long", { ...worker, name: "m".repeat(63) }, sender, [], `${"m".repeat(50)}-email-events`],
])("the queue if %s", (_, site, vars, secretNames, name) => {
  expect(emailQueue(site, vars, secretNames)).toEqual(name === null ? null : { name, domain: "send.market.test" });
});

remoteWaitlistForEachTest();

test("it is created and subscribed once: another run changes nothing", async () => {
  const queue = { name: "market-email-events", domain: "send.market.test" };
  expect(await subscribe(signedIn, queue)).toBe(true);
  expect(cloudflare.subscriptions).toMatchObject([
    {
      source: { type: "email.sending", zone_id: "023e105f4ecef8ad9ca31a8372d0c353", domain: "send.market.test" },
      destination: { type: "queues.queue", queue_id: cloudflare.queues[0]?.queue_id },
      enabled: true,
      events: ["message.bounced", "message.complained", "message.failed", "message.rejected"],
    },
  ]);
  cloudflare.changes.length = 0;
  expect(await subscribe(signedIn, queue)).toBe(false);
  expect(cloudflare.changes).toEqual([]);
  expect(cloudflare.unknown).toEqual([]);
});

test("a domain that is not in the account is named, with what to do", async () => {
  const queue = { name: "market-email-events", domain: "elsewhere.test" };
  await expect(subscribe(signedIn, queue)).rejects.toThrow(
    /Could not find zone for elsewhere\.test[\s\S]*docs\/deploying\.md explains how to add it/,
  );
});
