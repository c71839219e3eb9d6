import { sql } from "drizzle-orm";
import { countAgreed, readSeriesStats } from "#app/features/letters/series/series-stats.server.ts";
import { MAX_STEPS } from "#app/features/letters/series/step-days.ts";
import { readObstacle, toSeries } from "#app/features/letters/series/step-page.server.tsx";
import {
  type ShownStep,
  StepPause,
  StepResults,
  StepState,
  SwitchButton,
} from "#app/features/letters/series/step-view.server.tsx";
import { listSteps, setHour } from "#app/features/letters/series/steps.server.ts";
import { pausedBecause } from "#app/features/letters/write/letter-status.server.ts";
import { Actions, Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import type { AttentionItem, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { PauseReason } from "#app/server/db/schema/email.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";
import { consentText, followUpVersions } from "#app/waitlist/sign-up/consent-wording.ts";

/** The series: what people are sent some days after joining, with what became of it. */
export async function showSeries(c: OwnerContext) {
  const { db, timeZone, mustConfirm, now } = c.var.app;
  const [steps, stats, agreed] = await Promise.all([listSteps(db), readSeriesStats(db), countAgreed(db)]);
  const obstacle = readObstacle(c);
  const clock = { timeZone, now: now() };
  const isFull = steps.length >= MAX_STEPS;
  const isOn = steps.some(({ letter_id }) => letter_id !== null);
  return c.render(
    <Page
      title="Follow-up emails"
      section="series"
      aside={isFull ? null : <ButtonLink label="Add a follow-up" href="/owner/series/new" />}
    >
      <Outcome />
      <Message kind={obstacle?.kind === "cannot-send" ? "error" : "info"}>{obstacle?.text}</Message>
      <p className="lead">
        A follow-up is an email that each person is sent some days after joining. You write it once. There can be up to{" "}
        {MAX_STEPS}.
      </p>
      {isOn && obstacle?.kind !== "launched" ? (
        <Message>
          Before you send a letter that announces the launch, switch the follow-ups off and wait a day, so that no one
          gets both on one day. Once your site has launched, they stop by themselves.
        </Message>
      ) : null}
      {steps.length === 0 ? (
        <p className="none">No follow-ups yet.</p>
      ) : (
        <ol className="bare-list group series">
          {steps.map((step) => (
            <StepItem
              key={step.id}
              step={step}
              stats={stats.get(step.id)}
              clock={clock}
              back="series"
              canStart={obstacle === null}
            />
          ))}
        </ol>
      )}
      {steps[0] === undefined ? null : (
        <Section id="hour-of-day" title="Time of day">
          <p>All follow-ups are sent from this time on.</p>
          <form className="form form-row" method="post" action="/owner/series/hour">
            <Field
              name="hour"
              label={`Hour in ${timeZone}`}
              options={Object.fromEntries(hours.map((text) => [text, text]))}
              value={hours[steps[0].hour]}
            />
            <Button label="Change" kind="quiet" />
          </form>
        </Section>
      )}
      <Agreed agreed={agreed} isOn={isOn} />
      <Section id="who" title="Who gets them" className="narrow">
        <ul>
          <li>
            People who agree to follow-ups when they join, and who join after the follow-up is switched on. You can
            extend it to people who joined shortly before. People whom you add yourself get none; imported people get
            them only if the file says that they agreed to follow-ups.
          </li>
          <li>
            {mustConfirm
              ? "Days are counted from the day on which someone confirms the address."
              : "Days are counted from the day on which someone joins."}
          </li>
          <li>Each person gets each follow-up once, and never two on one day: the second waits for another day.</li>
          <li>One that would be more than three days late is skipped.</li>
          <li>
            People get no more follow-ups once they unsubscribe, report an email as spam, are erased or are invited. Nor
            do they get any while their address is blocked because of bounces.
          </li>
          <li>Once your site has launched, no more follow-ups are sent.</li>
        </ul>
      </Section>
    </Page>,
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

export async function changeHour(c: OwnerContext) {
  const { db } = c.var.app;
  const hour = hours.indexOf(fieldText(c.var.form, "hour"));
  if (hour === -1) return badRequest(c);
  if ((await listSteps(db)).every((step) => step.hour === hour)) return toSeries(c, "unchanged");
  await setHour(db, hour);
  await c.var.record("set-series-hour", { hour: hours[hour] ?? "" });
  return toSeries(c, "hour");
}

function StepItem({ canStart, ...shown }: ShownStep & { canStart: boolean }) {
  const { id, days, subject, audience, letter_id } = shown.step;
  const href = `/owner/series/${id}`;
  const heading = `step-${id}`;
  return (
    <li className={letter_id === null ? "series-step series-off" : "series-step"}>
      <p className="flush series-day">
        <span>Day</span> <strong>{days}</strong>
      </p>
      <div className="panel">
        <div className="row spread">
          <h2 id={heading}>
            <a className="quiet-link" href={href}>
              {fillGreetings(subject, null) || "No subject"}
            </a>
          </h2>
          <StepState {...shown} />
        </div>
        <p className="hint">{audience === null ? "For everyone" : `For the view “${audience.name}”`}</p>
        <StepPause {...shown} />
        <StepResults {...shown} />
        <Actions>
          <SwitchButton {...shown} canStart={canStart} />
          <a className="quiet-link" href={href} aria-describedby={heading}>
            Edit
          </a>
        </Actions>
      </div>
    </li>
  );
}

/** Follow-ups go by what people were promised, which depends on whether one was on. */
function Agreed({ agreed, isOn }: { agreed: Map<string | null, number>; isOn: boolean }) {
  const all = [...agreed.values()].reduce((sum, people) => sum + people, 0);
  const mayGet = followUpVersions.reduce((sum, version) => sum + (agreed.get(version) ?? 0), 0);
  const wordings = [...agreed].toSorted(([, a], [, b]) => b - a);
  return (
    <Section id="agreed" title="Who agreed to them" className="narrow">
      <p>
        {`${formatNumber(mayGet)} of ${counted(all, "person", "people")} on your list agreed to follow-ups. Only they can get them. `}
        {isOn
          ? "Your forms mention follow-ups while one is on."
          : "Your forms do not mention follow-ups until one is on, so people who join now get none later."}
      </p>
      <ul>
        {wordings.map(([version, people]) => {
          const wording = consentText(version);
          const said = wording === null ? "no wording stated" : `“${wording}”`;
          return <li key={version ?? ""}>{`${counted(people, "person", "people")}: ${said}`}</li>;
        })}
      </ul>
    </Section>
  );
}

/** Paused steps of the series, before the launch. Emails with an unknown outcome need no decision: other steps follow all the same. */
export async function seriesInNeed(c: OwnerContext): Promise<AttentionItem[]> {
  if (c.var.app.config.LAUNCH_URL !== undefined) return [];
  // Of several pauses of a step, the one that waits for the owner comes last, and counts.
  const paused = await c.var.app.db.all<{ id: number; subject: string; reason: PauseReason }>(sql`
    SELECT series_steps.id, series_steps.subject, email_pauses.reason FROM series_steps
    JOIN email_pauses ON email_pauses.letter_id = series_steps.letter_id
    WHERE email_pauses.reason <> 'first-recipients' ORDER BY series_steps.days, until IS NULL`);
  const byStep = new Map(paused.map((step) => [step.id, step]));
  return Array.from(byStep.values(), ({ id, reason, ...step }) => {
    const subject = fillGreetings(step.subject, null);
    return {
      text: `“${subject}” ${pausedBecause(reason)}.`,
      action: { label: "Open the follow-up", about: subject, href: `/owner/series/${id}` },
    };
  });
}
