import { expect, test } from "vitest";
import type { ShownLetter } from "#app/features/letters/send/letters.server.ts";
import { describeStatus, type StatusContext } from "#app/features/letters/write/letter-status.server.ts";
import type { PauseReason } from "#app/server/db/schema/email.server.ts";

/** 25 November 2026, 13:35 in London. */
const NOW = Date.UTC(2026, 10, 25, 13, 35);
const MINUTE = 60_000;

type Case = [what: string, letter: Partial<ShownLetter>, current: string, next: string, rest?: Partial<StatusContext>];

const letter: Partial<ShownLetter> = { state: "sending", pause: null };
const paused = (reason: PauseReason, until: number | null = null) => ({ pause: { reason, until } });

const MIDNIGHT = Date.UTC(2026, 10, 26);

/** What happened, and when or how it goes on: the words that owners decide by. */
const cases: Case[] = [
  ["scheduled", { state: "scheduled", scheduled_for: NOW + 1_440 * MINUTE }, "26 Nov 2026, 13:35", "automatically"],
  ["being sent", {}, "45% done", "continues automatically"],
  [
    "waiting for a quota",
    {},
    "daily limit",
    "on 26 Nov 2026, 00:00",
    { pause: { reason: "daily-quota", until: MIDNIGHT } },
  ],
  ["waiting", {}, "too long to answer", "13:40", { failed: { reason: "timed-out", nextAt: NOW + 5 * MINUTE } }],
  ["paused at first", paused("first-recipients", NOW + 30 * MINUTE), "until 14:05", "automatically"],
  ["about to resume", paused("first-recipients", NOW), "less than a minute", "automatically"],
  ["paused by the owner", paused("owner"), "You paused it", "until you choose Resume"],
  ["paused for complaints", paused("complaints"), "reported it as spam", "before you choose Resume"],
  ["paused for bounces", paused("bounces"), "too many emails bounced", "before you choose Resume"],
  ["paused by a refusal", paused("wrong-key"), "the API key", "you choose Resume"],
  ["paused by a quota", paused("daily-quota", NOW + 15 * MINUTE), "daily limit is reached", "again at 13:50"],
  ["stopped", { state: "stopped" }, "440 of 1,000 people", "No one else is sent it"],
  ["finished", { state: "finished" }, "Sent to 440 of 1,000 people", "Bounces"],
];

const stats = { expected: 1_000, pending: 550, sent: 440 };
const context = { stats, pause: null, failed: null, timeZone: "Europe/London", now: NOW };
const describe = (of: Partial<ShownLetter>, rest: Partial<StatusContext> = {}) =>
  describeStatus({ ...context, ...rest, letter: { ...letter, ...of } as ShownLetter });

test.each(cases)("a letter that is %s says so, and what happens next", (_, of, current, next, rest) => {
  const status = { current: expect.stringContaining(current), next: expect.stringContaining(next) };
  expect(describe(of, rest)).toMatchObject(status);
});

test("a pause of all email says nothing of a letter that does not send", () => {
  const pause = { reason: "wrong-key", until: NOW + MINUTE } as const;
  expect(describe({ state: "finished" }, { pause }).current).toBe("Sent to 440 of 1,000 people.");
  const advanced = "see RESEND_API_KEY in docs/configuration.md.";
  expect(describe({}, { pause })).toMatchObject({ isProblem: true, advanced });
});
