import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { endAllSessions, readSession, startSession } from "#app/owner/sign-in/session.server.ts";
import { consumeSignInToken, createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { identifyOwners, type Owner } from "#app/server/owners.server.ts";
import { db, freshDatabaseForEachTest, rows } from "#tests/support/pool/start.ts";

freshDatabaseForEachTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21);

const [ada, bob] = (await identifyOwners(["ada@example.com", "bob@example.com"])) as [Owner, Owner];
const clock = { now: START };
const deps = {
  db: db,
  owners: [ada, bob],
  linkSecrets: [env.LINK_SECRET],
  config: { SITE_URL: "https://stallwright.example" },
  now: () => clock.now,
};

beforeEach(() => {
  clock.now = START;
});

const cookieOf = (setCookie: string) => setCookie.split(";")[0];
const signIn = async (owner = ada) => cookieOf(await startSession(deps, owner));

describe("a session ends", () => {
  test("two hours after its last use", async () => {
    const cookie = await signIn();
    clock.now += 2 * HOUR - 1;
    expect(await readSession(deps, cookie)).not.toBeNull();
    clock.now += 1;
    expect(await readSession(deps, cookie)).toBeNull();
  });

  test("twelve hours after it began, however often it is used", async () => {
    let cookie = await signIn();
    for (; clock.now < START + 12 * HOUR - HOUR; clock.now += HOUR) {
      const session = await readSession(deps, cookie);
      if (session?.renewal) cookie = cookieOf(session.renewal);
    }
    clock.now = START + 12 * HOUR - 1;
    const session = await readSession(deps, cookie);
    expect(session?.renewal).toMatch(/Max-Age=2592000/);
    clock.now += 1;
    expect(await readSession(deps, cookieOf(session?.renewal ?? ""))).toBeNull();
  });
});

test("a cookie whose time of last use is two hours ahead is refused", async () => {
  const cookie = await signIn();
  clock.now -= 2 * HOUR;
  expect(await readSession(deps, cookie)).toBeNull();
  clock.now += 1;
  expect(await readSession(deps, cookie)).not.toBeNull();
});

test("using a session writes a cookie at most every five minutes, and never a row", async () => {
  const cookie = await signIn();
  const before = await rows("owner_sessions");
  clock.now += 5 * MINUTE - 1;
  expect((await readSession(deps, cookie))?.renewal).toBeNull();
  clock.now += 1;
  const renewed = (await readSession(deps, cookie))?.renewal ?? "";
  expect(renewed).toMatch(/^__Host-owner=[\w%.+/=-]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect((await readSession(deps, cookieOf(renewed)))?.renewal).toBeNull();
  expect(await rows("owner_sessions")).toEqual(before);
});

describe("sign-in links", () => {
  const createToken = async (owner = ada) =>
    (await createSignInLink(deps.db, { siteUrl: "", email: owner.email }, clock.now)).split("/").at(-1) ?? "";

  test("using one makes the owner's others void, but not those of another owner", async () => {
    const [first, second, other] = [await createToken(), await createToken(), await createToken(bob)];
    expect(await consumeSignInToken(deps, second)).toEqual(ada);
    expect(await consumeSignInToken(deps, first)).toBeNull();
    expect(await consumeSignInToken(deps, other)).toEqual(bob);
  });

  test("are void after signing out everywhere", async () => {
    const [own, other] = [await createToken(), await createToken(bob)];
    await endAllSessions(deps, ada);
    expect(await consumeSignInToken(deps, own)).toBeNull();
    expect(await consumeSignInToken(deps, other)).toEqual(bob);
  });

  test("of several used at once, one signs in", async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => createToken()));
    const used = await Promise.all(tokens.map((token) => consumeSignInToken(deps, token)));
    expect(used.filter((owner) => owner !== null)).toEqual([ada]);
  });
});
