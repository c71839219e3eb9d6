import { expect, test } from "vitest";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { describeStatus, type StatusContext } from "#app/owner/letters/letter-status.server.ts";

/** 25 November 2026, 13:35 in London. */
const NOW = Date.UTC(2026, 10, 25, 13, 35);
const MINUTE = 60_000;

type Case = [what: string, letter: Partial<Letter>, current: string, next: string, rest?: Partial<StatusContext>];

const letter: Partial<Letter> = { state: "sending", pause_reason: null, resumes_at: null, fault: null };
const paused = (pause_reason: Letter["pause_reason"], more: Partial<Letter> = {}): Partial<Letter> => {
  return { state: "paused", pause_reason, ...more };
};

const cases: Case[] = [
  [
    "scheduled",
    { state: "scheduled", scheduled_for: NOW + 24 * 60 * MINUTE },
    "Starts on 26 Nov 2026, 13:35 (Europe/London).",
    "It starts automatically. Until then you can cancel that and make it a draft again.",
  ],
  ["being sent", {}, "Sending: 45% done.", "You can leave this page: sending continues automatically."],
  [
    "being sent while all email is paused",
    {},
    "Waiting: the email provider’s daily limit is reached.",
    "The site tries again at 00:00 on 26 Nov 2026. Nothing is lost.",
    { pause: { reason: "daily-quota", until: Date.UTC(2026, 10, 26) } },
  ],
  [
    "being sent while the provider fails",
    {},
    "Waiting: the email provider took too long to answer.",
    "The site tries again at 13:40. Nothing is lost.",
    { failed: { reason: "timed-out", nextAt: NOW + 5 * MINUTE } },
  ],
  [
    "paused after the first recipients",
    paused("first-recipients", { resumes_at: NOW + 30 * MINUTE }),
    "Paused until 14:05, so that bounces can arrive.",
    "Then the rest follows automatically.",
  ],
  [
    "about to resume",
    paused("first-recipients", { resumes_at: NOW }),
    "Paused for less than a minute, so that bounces can arrive.",
    "Then the rest follows automatically.",
  ],
  ["paused by the owner", paused("owner"), "You paused it.", "Nothing more is sent until you choose Resume."],
  [
    "paused for complaints",
    paused("complaints"),
    "Paused: too many recipients reported it as spam.",
    "Find out why before you choose Resume.",
  ],
  [
    "paused for bounces",
    paused("bounces"),
    "Paused: too many emails bounced.",
    "Check where these addresses came from before you choose Resume.",
  ],
  [
    "paused by a refusal",
    paused("configuration", { fault: "wrong-key" }),
    "Paused: the email provider refused the API key.",
    "Nothing more is sent until that is mended and you choose Resume.",
  ],
  [
    "paused by the provider's quota",
    paused("quota", { resumes_at: NOW + 15 * MINUTE }),
    "Paused: the email provider’s quota is used up.",
    "The site tries again at 13:50. Sending then continues automatically.",
  ],
  ["stopped", { state: "stopped" }, "Stopped after it was sent to 440 of 1,000 people.", "No one else is sent it."],
  [
    "finished",
    { state: "finished" },
    "Sent to 440 of 1,000 people.",
    "Bounces and people who unsubscribe are counted below as they come in.",
  ],
];

test.each(cases)("a letter that is %s says so once, and what happens next", (_, of, current, next, rest = {}) => {
  const stats = { expected: 1_000, pending: 550, sent: 440 };
  const context = { stats, pause: null, failed: null, timeZone: "Europe/London", now: NOW, ...rest };
  expect(describeStatus({ ...context, letter: { ...letter, ...of } as Letter })).toMatchObject({ current, next });
});

test("a pause of all email says nothing of a letter that does not send", () => {
  const pause = { reason: "wrong-key", until: NOW + MINUTE } as const;
  const stats = { expected: 2, pending: 0, sent: 2 };
  const context = { stats, pause, failed: null, timeZone: "Europe/London", now: NOW };
  const of = (state: Letter["state"]) => describeStatus({ ...context, letter: { ...letter, state } as Letter });
  expect(of("finished").current).toBe("Sent to 2 of 2 people.");
  expect(of("sending")).toMatchObject({ isProblem: true, advanced: "see RESEND_API_KEY in docs/configuration.md." });
});
