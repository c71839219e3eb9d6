import { env } from "cloudflare:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { resendWebhook } from "#app/email/providers/resend/webhook.server.ts";
import { knownBrowser, rememberBrowser } from "#app/owner/sign-in/known-browser.server.ts";
import { readSession, startSession } from "#app/owner/sign-in/session.server.ts";
import { createSignInLink, isSignInTokenValid, storeEmailedToken } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { ownerCookie } from "#app/owner/ui/owner-cookie.ts";
import { signToken } from "#app/server/hashes/signed-token.server.ts";
import { ownerId } from "#app/server/owners.server.ts";
import {
  signDataToken,
  signEntryToken,
  verifyDataToken,
  verifyEntryToken,
} from "#app/waitlist/my-data/token.server.ts";
import { readAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { answerTokenOf } from "#tests/support/pool/answer-token.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";
import { resendEvent, WEBHOOK_SECRET } from "#tests/support/pool/resend-webhook.ts";
import { db, freshDatabaseForEachTest } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();
const seed = fuzzSeed();

const NOW = Date.now();
const EMAIL = "ada@example.com";
const NEW_SECRET = "a-new-secret-a-new-secret-a-new-secret";
const owner = { id: await ownerId(EMAIL), email: EMAIL };
const depsOf = (linkSecrets: string[]) => {
  return { db, owners: [owner], linkSecrets, config: { SITE_URL: env.SITE_URL }, now: () => NOW };
};
const deps = depsOf([env.LINK_SECRET]);
const body = JSON.stringify(resendEvent("email.bounced", "1", EMAIL));

interface Kind {
  /** A valid token. The number tells it from others of its kind, where it names something. */
  issue: (n: number) => Promise<string>;
  /** @param secrets the current LINK_SECRET and the previous ones */
  accepts: (token: string, secrets?: string[]) => Promise<boolean>;
}

const current = [env.LINK_SECRET];

const cookieName = ownerCookie("owner", env.SITE_URL, "Lax").name;

/** Everything that the site issues and later trusts. */
const kinds: Record<string, Kind> = {
  "a link to an entry": {
    issue: (n) => signDataToken(n, NOW, env.LINK_SECRET),
    accepts: async (token, secrets = current) => (await verifyDataToken(token, secrets, NOW)) !== null,
  },
  "a link to unsubscribe": {
    issue: (n) => signEntryToken("unsubscribe:v1", n, env.HASH_KEY),
    accepts: async (token) => (await verifyEntryToken("unsubscribe:v1", token, [env.HASH_KEY])) !== null,
  },
  "a link to confirm": {
    issue: (n) => signEntryToken("confirm:v1", n, env.LINK_SECRET),
    accepts: async (token, secrets = current) => (await verifyEntryToken("confirm:v1", token, secrets)) !== null,
  },
  "the answers of a sign-up": {
    issue: (n) => answerTokenOf(n, NOW),
    accepts: async (token, linkSecrets = current) =>
      (await readAnswerToken(token, { linkSecrets, hashKey: env.HASH_KEY, now: () => NOW })) !== null,
  },
  "an emailed sign-in link": {
    async issue(n) {
      const emailId = `00000000-0000-4000-8000-00000000000${n}`;
      await storeEmailedToken(db, { emailId, ownerId: owner.id, asker: { network: n } }, NOW - n * 6 * 60_000);
      return signToken("owner-sign-in:v1", emailId, env.LINK_SECRET);
    },
    accepts: (token, secrets = current) => isSignInTokenValid(depsOf(secrets), token),
  },
  "a sign-in link from the command line": {
    issue: async () => (await createSignInLink(db, { siteUrl: "", email: EMAIL }, NOW)).slice("/owner/sign-in/".length),
    accepts: (token, secrets = current) => isSignInTokenValid(depsOf(secrets), token),
  },
  "a session's cookie": {
    issue: async () => /=([^;]+)/.exec(await startSession(deps, owner))?.[1] ?? "",
    accepts: async (token, secrets = current) =>
      (await readSession(depsOf(secrets), `${cookieName}=${token}`)) !== null,
  },
  "the cookie of a browser that an owner has used": {
    issue: async () => /=([^;]+)/.exec(await rememberBrowser(deps, owner.id))?.[1] ?? "",
    accepts: async (token, secrets = current) =>
      (await knownBrowser(depsOf(secrets), owner.id, `${cookieName}-browser=${token}`)) !== null,
  },
  "a webhook's signature": {
    issue: async (n) => new Webhook(WEBHOOK_SECRET).sign(`msg_${n}`, new Date(NOW), body).slice("v1,".length),
    async accepts(token) {
      // The header is a list: what follows a comma or a space is no part of the signature. Others cannot be in a header.
      if (!/^[!-~]*$/.test(token) || token.includes(",")) return false;
      const headers = new Headers({
        "svix-id": "msg_1",
        "svix-timestamp": `${Math.floor(NOW / 1_000)}`,
        "svix-signature": `v1,${token}`,
      });
      return resendWebhook.read(body, headers, WEBHOOK_SECRET).kind !== "bad-signature";
    },
  },
};

/** What a new LINK_SECRET does not end. */
const independent = ["a link to unsubscribe", "a sign-in link from the command line", "a webhook's signature"];

const isSignIn = (kind: string) => kind.includes("sign-in link");

const replace = (token: string, at: number, by: string) => token.slice(0, at) + by + token.slice(at + 1);

/** Ways to change a token, each of which may also leave it as it is. */
function changed(token: string, other: string): fc.Arbitrary<string> {
  const at = fc.nat(token.length - 1);
  const sign = fc.oneof(
    fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.,%"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  return fc.oneof(
    fc.tuple(at, sign).map(([index, by]) => replace(token, index, by)),
    fc.tuple(at, sign).map(([index, by]) => token.slice(0, index) + by + token.slice(index)),
    fc.tuple(at, at).map(([from, to]) => token.slice(0, from) + token.slice(Math.max(from, to))),
    fc.tuple(at, at).map(([one, two]) => replace(replace(token, one, token.charAt(two)), two, token.charAt(one))),
    sign.map((by) => token + by),
    at.map((cut) => token.slice(0, cut) + other.slice(cut)),
    at.map((index) => token.slice(0, index) + token.slice(index).toUpperCase()),
    at.map((index) => token.slice(0, index) + token.slice(index).toLowerCase()),
  );
}

describe.each(Object.entries(kinds))("%s", (name, { issue, accepts }) => {
  let token: string;
  let other: string;
  beforeEach(async () => {
    token = await issue(1);
    other = await issue(2);
  });

  test("is refused with any bit of any character flipped, and in every spelling of its last character", async () => {
    expect(await accepts(token)).toBe(true);
    const bits = [...token].flatMap((sign, at) =>
      Array.from({ length: 7 }, (_, bit) => replace(token, at, String.fromCharCode(sign.charCodeAt(0) ^ (1 << bit)))),
    );
    const ends = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/="].flatMap((sign) => [
      token.slice(0, -1) + sign,
      replace(token, token.length - 2, sign),
    ]);
    const accepted = [];
    for (const bad of [...bits, ...ends]) if (bad !== token && (await accepts(bad))) accepted.push(bad);
    expect(accepted).toEqual([]);
  });

  test("is refused when it is cut, extended, put together from two, or changed in any other way", async () => {
    const property = fc.asyncProperty(changed(token, other), async (bad) => {
      fc.pre(bad.trim() !== token && bad !== other);
      expect(await accepts(bad), bad).toBe(false);
    });
    await fc.assert(property, { seed, numRuns: fuzzCases(5_000) });
  });

  test("is refused wherever another kind is expected", async () => {
    const accepting = [];
    for (const [kind, { accepts: other }] of Object.entries(kinds)) if (await other(token)) accepting.push(kind);
    // Both kinds of sign-in links lead to the same page.
    const same = Object.keys(kinds).filter((kind) => kind === name || (isSignIn(kind) && isSignIn(name)));
    expect(accepting).toEqual(same);
  });

  test("is accepted while its secret is the previous one, and refused after that", async () => {
    expect(await accepts(token, [NEW_SECRET, env.LINK_SECRET])).toBe(true);
    expect(await accepts(token, [NEW_SECRET])).toBe(independent.includes(name));
  });
});

test("a link names its entry, whatever its number", async () => {
  for (const id of [1, 35, 36, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    expect(await verifyDataToken(await signDataToken(id, NOW, NEW_SECRET), [NEW_SECRET], NOW)).toMatchObject({
      entryId: id,
    });
    expect(await verifyEntryToken("confirm:v1", await signEntryToken("confirm:v1", id, NEW_SECRET), [NEW_SECRET])).toBe(
      id,
    );
  }
});
