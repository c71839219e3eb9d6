import { countAudience } from "#app/email/letters/audience.server.ts";
import { checkLetter, toContent } from "#app/email/letters/check-letter.server.ts";
import { startLetter } from "#app/email/letters/letter-states.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { notFound, requireLetter } from "#app/owner/letters/letter-request.server.ts";
import { type GivenStart, readStart } from "#app/owner/letters/read-start.ts";
import { sendTest } from "#app/owner/letters/send-test.server.ts";
import { letterSendView } from "#app/owner/letters/send-view.server.tsx";
import { planSending, sendingObstacle } from "#app/owner/letters/sending-plan.ts";
import { recordAction } from "#app/owner/log/log.server.ts";
import { renderDocument } from "#app/owner/ui/document.server.tsx";
import { notFoundView } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { logInfo } from "#app/server/log.ts";
import { readForm } from "#app/server/read-form.server.ts";

export async function showSend(c: OwnerContext) {
  const letter = await requireLetter(c);
  if (letter === null) return notFound(c);
  if (letter.state !== "draft") return c.redirect(`/owner/letters/${letter.id}`, 303);
  return respond(c, letter, await count(c, letter));
}

/** Sends a test, or starts the letter. */
export async function send(c: OwnerContext) {
  const letter = await requireLetter(c);
  if (letter === null) return notFound(c);
  if (letter.state !== "draft") return c.redirect(`/owner/letters/${letter.id}?done=unchanged`, 303);
  const form = await readForm(c.req.raw);
  switch (form.get("intent")) {
    case "test":
      return test(c, letter);
    case "start":
      return start(c, letter, form);
    default:
      return c.html(renderDocument(notFoundView()), 400);
  }
}

async function test(c: OwnerContext, letter: Letter) {
  const { app } = c.var;
  const { email } = c.var.owner;
  // The page says what has to be mended.
  if (checkLetter(toContent(letter)) !== null) return respond(c, letter, await count(c, letter), { status: 422 });
  const testProblem = await sendTest(app, letter, email);
  if (testProblem !== null) return respond(c, letter, await count(c, letter), { testProblem, status: 502 });
  await recordAction(app, { by: email, action: "test-letter", details: { letterId: letter.id } });
  return c.redirect(`/owner/letters/${letter.id}/send?done=tested`, 303);
}

async function start(c: OwnerContext, letter: Letter, form: FormData) {
  const { app } = c.var;
  const people = await count(c, letter);
  const given = readStart(form, { count: people, timeZone: app.emailContext.ownerTimeZone, now: app.now() });
  const isRefused = Object.keys(given.problems).length > 0 || sendingObstacle(app.config, app.workersPlan) !== null;
  if (isRefused) return respond(c, letter, people, { given, status: 422 });
  const { at } = given;
  const outcome = await startLetter(audienceDeps(c), letter.id, { count: people, at });
  switch (outcome.kind) {
    case "started":
    case "scheduled": {
      const action = outcome.kind === "started" ? "send-letter" : "schedule-letter";
      const details = { letterId: letter.id, people };
      await recordAction(app, { by: c.var.owner.email, action, details });
      logInfo("letter-started", { letterId: letter.id, people, kind: outcome.kind });
      return c.redirect(`/owner/letters/${letter.id}?done=${outcome.kind}`, 303);
    }
    case "has-problems":
      return respond(c, letter, people, { given, status: 422 });
    case "not-a-draft":
      return c.redirect(`/owner/letters/${letter.id}?done=unchanged`, 303);
    default: {
      // Someone joined or left while the form was read.
      const now = await count(c, letter);
      const again = readStart(form, { count: now, timeZone: app.emailContext.ownerTimeZone, now: app.now() });
      return respond(c, letter, now, { given: again, status: 409 });
    }
  }
}

interface Refusal {
  given?: GivenStart;
  testProblem?: string;
  status?: 200 | 409 | 422 | 502;
}

function respond(c: OwnerContext, letter: Letter, people: number, { status = 200, ...refused }: Refusal = {}) {
  const { config, workersPlan, emailsPerHour, emailContext, now } = c.var.app;
  const view = letterSendView({
    letter,
    problems: checkLetter(toContent(letter)),
    count: people,
    plan: planSending(people, { config, perHour: emailsPerHour, now: now() }),
    obstacle: sendingObstacle(config, workersPlan),
    timeZone: emailContext.ownerTimeZone,
    owner: c.var.owner.email,
    done: c.req.query("done"),
    ...refused,
  });
  return c.html(renderDocument(view), status);
}

function count(c: OwnerContext, { audience }: Letter): Promise<number> {
  return countAudience(audienceDeps(c), audience);
}

function audienceDeps(c: OwnerContext) {
  const { db, emailContext, now } = c.var.app;
  return { db, timeZone: emailContext.ownerTimeZone, now };
}
