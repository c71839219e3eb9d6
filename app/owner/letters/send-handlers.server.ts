import { countAudience } from "#app/email/letters/audience.server.ts";
import { checkLetter, toContent } from "#app/email/letters/check-letter.server.ts";
import { startLetter } from "#app/email/letters/letter-states.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { hasStepsOn } from "#app/email/series/steps.server.ts";
import { obstacleOf, toLetter } from "#app/owner/letters/letter-request.server.ts";
import { type GivenStart, readStart } from "#app/owner/letters/read-start.ts";
import { sendTest, webPage } from "#app/owner/letters/send-test.server.ts";
import { letterSendView } from "#app/owner/letters/send-view.server.tsx";
import { planSending } from "#app/owner/letters/sending-plan.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { logInfo } from "#app/server/log.ts";
import { series } from "#app/switches.ts";

export async function showSend(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return toLetter(c, letter.id);
  return respond(c, letter, await count(c, letter));
}

/** Sends a test, or starts the letter. */
export async function send(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return toLetter(c, letter.id, "?done=unchanged");
  switch (c.var.form.get("intent")) {
    case "test":
      return test(c, letter);
    case "start":
      return start(c, letter);
    default:
      return badRequest(c);
  }
}

async function test(c: OwnerContext, letter: Letter) {
  // The page says what has to be mended.
  if (checkLetter(toContent(letter)) !== null) return respond(c, letter, await count(c, letter), { status: 422 });
  const tested = { words: letter, web: webPage(c.var.app, letter), logged: { letterId: letter.id } };
  const testProblem = await sendTest(c.var.app, tested, c.var.owner.email);
  if (testProblem !== null) return respond(c, letter, await count(c, letter), { testProblem, status: 502 });
  await c.var.record("test-letter", { letterId: letter.id });
  return toLetter(c, letter.id, "/send?done=tested");
}

async function start(c: OwnerContext, letter: Letter) {
  const { app, form } = c.var;
  const people = await count(c, letter);
  const given = readStart(form, { ...app, count: people, now: app.now() });
  const isRefused = Object.keys(given.problems).length > 0 || obstacleOf(c) !== null;
  if (isRefused) return respond(c, letter, people, { given, status: 422 });
  const { at } = given;
  const outcome = await startLetter(app, letter.id, { count: people, at });
  switch (outcome.kind) {
    case "started":
    case "scheduled": {
      const action = outcome.kind === "started" ? "send-letter" : "schedule-letter";
      await c.var.record(action, { letterId: letter.id, people });
      logInfo("letter-started", { letterId: letter.id, people, kind: outcome.kind });
      return toLetter(c, letter.id, `?done=${outcome.kind}`);
    }
    case "has-problems":
      return respond(c, letter, people, { given, status: 422 });
    case "not-a-draft":
      return toLetter(c, letter.id, "?done=unchanged");
    default: {
      // Someone joined or left while the form was read.
      const now = await count(c, letter);
      const again = readStart(form, { ...app, count: now, now: app.now() });
      return respond(c, letter, now, { given: again, status: 409 });
    }
  }
}

interface Refusal {
  given?: GivenStart;
  testProblem?: string;
  status?: 200 | 409 | 422 | 502;
}

async function respond(c: OwnerContext, letter: Letter, people: number, { status = 200, ...refused }: Refusal = {}) {
  const { mailer, emailsPerHour, timeZone, now } = c.var.app;
  c.status(status);
  const view = letterSendView({
    letter,
    timeZone,
    problems: checkLetter(toContent(letter)),
    count: people,
    plan: planSending(people, { mailer, perHour: emailsPerHour, now: now() }),
    obstacle: obstacleOf(c),
    owner: c.var.owner.email,
    hasSeries: series && (await hasStepsOn(c.var.app.db)),
    ...refused,
  });
  return c.render(view);
}

function count(c: OwnerContext, { audience }: Letter): Promise<number> {
  return countAudience(c.var.app, audience);
}
