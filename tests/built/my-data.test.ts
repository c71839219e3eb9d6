import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { newsOnly } from "#app/waitlist/consent-wording.ts";
import { post, read, visibleText } from "#tests/support/pool/built-page.ts";
import { freshStorageForEachTest, rows } from "#tests/support/pool/database.ts";
import { emailBinding } from "#tests/support/pool/email.ts";
import { dataToken } from "#tests/support/pool/email-links.ts";
import { join } from "#tests/support/pool/join.ts";
import { captureLog } from "#tests/support/pool/log.ts";

freshStorageForEachTest();
const log = captureLog();

let page: string;

beforeEach(async () => {
  page = `/your-data/${await dataToken(await join("ada@example.com", { now: 0 }))}`;
});

/** Submits one of the page's buttons and follows the redirect. */
async function press(intent: string): Promise<string> {
  const { status: code, headers } = await post(page, { intent });
  expect(code).toBe(303);
  return (await read(headers.get("Location") ?? "")).text;
}

const status = async () => (await rows<{ status: string }>("waitlist_emails")).map((row) => row.status);

test("shows the masked address and its choices, and is never cached, indexed or sent as referrer", async () => {
  const { status: code, body, text, headers } = await read(page);
  expect(code).toBe(200);
  expect(text).toContain("a•••@e•••.com is on the waitlist");
  expect(body).not.toContain("ada@example.com");
  for (const label of ["Unsubscribe", "Show my data"])
    expect(body).toMatch(new RegExp(`<button[^>]*>${label}</button>`));
  expect(headers.get("Referrer-Policy")).toBe("same-origin");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("X-Robots-Tag")).toBe("noindex");
});

describe("unsubscribe", () => {
  test("works once; a second click says that it was done already", async () => {
    expect(await press("unsubscribe")).toContain("You have unsubscribed.");
    expect(await status()).toEqual(["unsubscribed"]);
    expect(await press("unsubscribe")).toContain("You had already unsubscribed.");
    expect((await read(page)).text).toContain("is no longer on the waitlist");
  });

  test("cancels queued emails", async () => {
    await post(page, { intent: "unsubscribe" });
    expect(await rows("email_outbox")).toEqual([]);
  });
});

describe("an unsubscribed address that signs up again", () => {
  beforeEach(() => post(page, { intent: "unsubscribe" }));

  test("gets the response of a new one, stays off the list, and is sent one rejoin email", async () => {
    const { binding, accepted } = emailBinding();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await post(
        "/",
        { email: "Ada@example.com", source: "landing_page" },
        { replaced: { EMAIL: binding } },
      );
      expect(response.status).toBe(201);
      expect(response.body).toContain("Thanks for joining! Please check your email.");
    }
    expect(await status()).toEqual(["unsubscribed"]);
    expect(accepted).toEqual(["ada@example.com"]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "rejoin", sent_at: expect.any(Number) }]);
  });

  test("is added back by the button, once, with its cancelled welcome email queued again", async () => {
    expect((await read(page)).body).toContain("Rejoin</button>");
    expect(await press("rejoin")).toContain("You are back on the waitlist.");
    expect(await press("rejoin")).toContain("You were already on the waitlist.");
    expect(await status()).toEqual(["active"]);
    expect(await rows("email_outbox")).toMatchObject([{ kind: "welcome", sent_at: null }]);
  });
});

describe("the consent on record", () => {
  test("is shown with its wording, its form, its date and who withdrew it", async () => {
    const { text, body } = await read(page);
    expect(text).toContain("Signed up with A form on our landing page Agreed on 1 January 1970");
    expect(text).toContain(`Wording “${newsOnly.text}”`);
    expect(text).not.toMatch(/Address confirmed|Withdrawn/);
    expect(body).not.toMatch(/\b\d{1,3}(?:\.\d{1,3}){3}\b/);
    await post(page, { intent: "unsubscribe" });
    expect((await read(page)).text).toMatch(/Withdrawn \d+ \w+ \d{4}, by you/);
    await post(page, { intent: "rejoin" });
    const after = (await read(page)).text;
    expect(after).toMatch(/Agreed on \d+ \w+ 20\d\d .* Address confirmed \d+ \w+ 20\d\d/);
    expect(after).not.toContain("Withdrawn");
  });

  test("says how imported people agreed, until they agree again by rejoining", async () => {
    await env.DB.exec("UPDATE waitlist_emails SET import_id = 1, consent_version = NULL, consent_note = 'Paper list'");
    const { text } = await read(page);
    expect(text).toContain(
      "Signed up with A list that we added you from Agreed on 1 January 1970 How you agreed “Paper list”",
    );
    const { body } = await post(page, { intent: "show-data" });
    expect(visibleText(body)).toContain("How they agreed Paper list");
    for (const intent of ["unsubscribe", "rejoin"]) await post(page, { intent });
    expect((await read(page)).text).not.toContain("How you agreed");
  });

  test("says that an address is not confirmed yet", async () => {
    await env.DB.exec("UPDATE waitlist_emails SET confirm_by = 1");
    expect((await read(page)).text).toContain("Address confirmed Not yet");
  });
});

describe("never email this address again", () => {
  test("is offered to unsubscribed people, beside rejoining", async () => {
    expect((await read(page)).body).not.toContain("Never email this address again");
    await post(page, { intent: "unsubscribe" });
    const { body } = await read(page);
    for (const label of ["Rejoin", "Never email this address again"]) expect(body).toContain(`${label}</button>`);
  });

  test("works once, says so, and is undone by rejoining", async () => {
    await post(page, { intent: "unsubscribe" });
    expect(await press("never")).toContain("We will never email this address again.");
    expect(await press("never")).toContain("We already send no email to this address.");
    const { body, text } = await read(page);
    expect(text).toContain("We send no email to it.");
    expect(body).not.toContain("Never email this address again</button>");
    expect(await rows("suppressions")).toMatchObject([{ reason: "never", until: null }]);
    expect(await press("rejoin")).toContain("You are back on the waitlist.");
    expect(await rows("suppressions")).toEqual([]);
    expect(await press("unsubscribe")).not.toContain("We send no email to it.");
  });
});

describe("a link that is more than 30 days old", () => {
  let expired: string;

  beforeEach(async () => {
    expired = `/your-data/${await dataToken(1, undefined, Date.now() - 31 * 24 * 3_600_000)}`;
  });

  test("offers a new one by email, and nothing else", async () => {
    const { status: code, body, text, headers } = await read(expired);
    expect(code).toBe(200);
    expect(text).toContain("This link has expired");
    expect(body.match(/<main.*<\/main>/s)?.[0].match(/<button/g)).toHaveLength(1);
    expect(body).toContain("Email me a new link</button>");
    expect(body).not.toMatch(/@example|•••/);
    expect(headers.get("Cache-Control")).toBe("no-store");
    const before = await rows("waitlist_emails");
    for (const intent of ["unsubscribe", "rejoin", "never", "erase"]) {
      const { status: redirected, headers: to } = await post(expired, { intent });
      expect([redirected, to.get("Location")]).toEqual([303, expired]);
    }
    expect(await post(`${expired}/export`, {})).toMatchObject({ status: 303, body: "" });
    expect(await rows("waitlist_emails")).toEqual(before);
  });

  test.each(["active", "unsubscribed", "erased"] as const)(
    "responds the same for an entry that is %s",
    async (state) => {
      const { binding, accepted } = emailBinding();
      if (state === "unsubscribed") await post(page, { intent: "unsubscribe" });
      if (state === "erased") await post(page, { intent: "erase" });
      for (let request = 0; request < 3; request += 1) {
        const { status: code, headers } = await post(expired, { intent: "new-link" }, { replaced: { EMAIL: binding } });
        expect([code, headers.get("Location")]).toEqual([303, `${expired}?done=new-link`]);
        const { text } = await read(`${expired}?done=new-link`);
        expect(text).toContain("If your address is still on record, we’ve emailed you a new link.");
      }
      expect(accepted).toEqual(state === "erased" ? [] : ["ada@example.com"]);
    },
  );
});

describe("erase", () => {
  test("asks once more: its only button is inside a closed <details>", async () => {
    const { body } = await read(page);
    const asking = /<details>.*?<\/details>/s.exec(body)?.[0] ?? "";
    expect(asking).toMatch(/<summary[^>]*>Erase my entry<\/summary>/);
    expect(asking).toContain("Do you really want to erase your entry");
    expect(asking).toContain('value="erase"');
    expect(body.match(/value="erase"/g)).toHaveLength(1);
  });

  test("removes the entry and its emails at once; the link then says so", async () => {
    expect(await press("erase")).toContain("Your entry has been erased. We won’t add you again unless you sign up.");
    expect(await rows("waitlist_emails")).toEqual([]);
    expect(await rows("email_outbox")).toEqual([]);
    expect(await press("erase")).toContain("had already been erased");
    const { status: code, text } = await read(page);
    expect(code).toBe(200);
    expect(text).toContain("entry for this link no longer exists");
  });

  test("leaves an old link unable to reach a later entry", async () => {
    await post(page, { intent: "erase" });
    await join("grace@example.com");
    expect((await read(page)).text).toContain("entry for this link no longer exists");
  });
});

test("a false claim in the query is ignored", async () => {
  for (const claim of ["done=erase", "done=never", "done=new-link", "done=__proto__", "done=constructor", "done=<b>"]) {
    const { text } = await read(`${page}?${claim}`);
    expect(text).toContain("is on the waitlist");
    expect(text).not.toMatch(/erased|have unsubscribed|never email|new link/);
  }
});

test("posts from other origins and unknown intents change nothing", async () => {
  const foreign = { headers: { Origin: "https://evil.example" } };
  expect((await post(page, { intent: "erase" }, foreign)).status).toBe(403);
  expect((await post(page, { intent: "explode" })).status).toBe(400);
  expect((await post(page, {}, { headers: { "Content-Type": "application/json" } })).status).toBe(400);
  expect(await status()).toEqual(["active"]);
});

test("no third-party service is configured on the page", async () => {
  const ids = { GA_MEASUREMENT_ID: "G-ABC123DEF4", META_PIXEL_ID: "1234567890", CF_BEACON_TOKEN: "0123456789abcdef" };
  expect((await read("/", ids)).body).toContain(ids.GA_MEASUREMENT_ID);
  const { body } = await read(page, ids);
  for (const id of Object.values(ids)) expect(body).not.toContain(id);
});

test("neither the address nor the token is logged", async () => {
  await read(page);
  for (const intent of ["unsubscribe", "rejoin", "erase"]) await post(page, { intent });
  await read(page, { DB: null });
  expect(log.length).toBeGreaterThan(3);
  const token = page.slice("/your-data/".length);
  expect(log.filter((line) => line.includes("@") || line.includes(token))).toEqual([]);
});
