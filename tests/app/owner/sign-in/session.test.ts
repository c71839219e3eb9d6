import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { listSessions } from "#app/owner/log/log.server.ts";
import { endAllSessions, endSession, readSession, startSession } from "#app/owner/sign-in/session.server.ts";
import { consumeSignInToken, createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { openDb } from "#app/server/db/client.server.ts";
import { identifyOwners, type Owner } from "#app/server/owners.server.ts";
import { freshDatabaseForEachTest, rows } from "#tests/support/pool/database.ts";

freshDatabaseForEachTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21);

const [ada, bob] = (await identifyOwners(["ada@example.com", "bob@example.com"])) as [Owner, Owner];
const clock = { now: START };
const deps = {
  db: openDb(env.DB),
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

test("a session knows its owner, and the database stores neither its id nor an address", async () => {
  const cookies = [await signIn(ada), await signIn(bob)];
  const owners = await Promise.all(cookies.map(async (cookie) => (await readSession(deps, cookie))?.owner));
  expect(owners).toEqual([ada, bob]);
  const stored = JSON.stringify(await rows("owner_sessions"));
  const id = /=([^-]+)-/.exec(cookies[0] ?? "")?.[1];
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect(stored).not.toContain(id);
  expect(stored).not.toContain("@");
});

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
    expect(session?.renewal).toMatch(/Max-Age=7200/);
    clock.now += 1;
    expect(await readSession(deps, cookieOf(session?.renewal ?? ""))).toBeNull();
  });

  test("when its owner's address is removed, and only then", async () => {
    const [first, second] = [await signIn(ada), await signIn(bob)];
    expect(await readSession({ ...deps, owners: [bob] }, first)).toBeNull();
    expect((await readSession({ ...deps, owners: [bob] }, second))?.owner).toEqual(bob);
  });
});

test("using a session writes a cookie at most every five minutes, and never a row", async () => {
  const cookie = await signIn();
  const before = await rows("owner_sessions");
  clock.now += 5 * MINUTE - 1;
  expect((await readSession(deps, cookie))?.renewal).toBeNull();
  clock.now += 1;
  const renewed = (await readSession(deps, cookie))?.renewal ?? "";
  expect(renewed).toMatch(/^__Host-owner=[\w%.+/=-]+; Max-Age=7200; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect((await readSession(deps, cookieOf(renewed)))?.renewal).toBeNull();
  expect(await rows("owner_sessions")).toEqual(before);
});

test("signing out ends one session; signing out everywhere ends all of this owner's", async () => {
  const [phone, laptop, other] = [await signIn(), await signIn(), await signIn(bob)];
  const isOpen = async (cookie: string | undefined) => (await readSession(deps, cookie)) !== null;
  const session = await readSession(deps, phone);
  if (session === null) throw new Error("not signed in");
  await endSession(deps, session);
  expect(await Promise.all([phone, laptop, other].map(isOpen))).toEqual([false, true, true]);
  clock.now += 1;
  await signIn();
  expect(await listSessions(deps, ada)).toEqual([START, START + 1]);
  await endAllSessions(deps, ada);
  expect(await Promise.all([phone, laptop, other].map(isOpen))).toEqual([false, false, true]);
  expect(await listSessions(deps, ada)).toEqual([]);
});

test("signing in deletes expired sessions", async () => {
  await signIn();
  clock.now += 12 * HOUR;
  await signIn();
  expect(await rows("owner_sessions")).toHaveLength(1);
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

  test("of several used at once, one signs in", async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => createToken()));
    const used = await Promise.all(tokens.map((token) => consumeSignInToken(deps, token)));
    expect(used.filter((owner) => owner !== null)).toEqual([ada]);
  });

  test("of a former owner do not work, nor after signing out everywhere", async () => {
    const [former, current] = [await createToken(ada), await createToken(bob)];
    expect(await consumeSignInToken({ ...deps, owners: [bob] }, former)).toBeNull();
    await endAllSessions(deps, bob);
    expect(await consumeSignInToken(deps, current)).toBeNull();
    expect(await consumeSignInToken(deps, former)).toEqual(ada);
  });
});
