import { and, eq, type SQL, sql } from "drizzle-orm";
import { Attention } from "#app/features/overview/attention.server.tsx";
import { SIGN_UP, siteSteps } from "#app/features/overview/site-steps.ts";
import { ButtonForm, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { AttentionItem, FirstStep, OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Lines, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { settledSteps } from "#app/server/db/schema/owner.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logError } from "#app/server/log.ts";

/** A step as an owner sees it. Once done or dismissed, it stays that way. */
interface ShownStep extends FirstStep {
  state: "open" | "done" | "dismissed";
}

/** The steps that were done or dismissed. */
export async function readSettledSteps(db: Db) {
  const settled = await db.select().from(settledSteps);
  return new Map(settled.map(({ key, outcome }) => [key, outcome]));
}

/**
 * Sees which steps are done, in one statement that reads a row for each that was neither done nor dismissed. Stores what is
 * new after the response.
 */
export async function readFirstSteps(
  { db, now, waitUntil }: Pick<AppContext, "db" | "now" | "waitUntil">,
  steps: FirstStep[],
  settled: Awaited<ReturnType<typeof readSettledSteps>>,
): Promise<ShownStep[]> {
  // The page depends on the first sign-up, also if the step was dismissed.
  const isWatched = (key: string) => !settled.has(key) || (key === SIGN_UP && settled.get(key) === "dismissed");
  const done = await findDone(
    db,
    steps.filter(({ key }) => isWatched(key)),
  );
  if (done.length > 0) waitUntil(storeDone(db, done, now()));
  return steps.map((step) => {
    return { ...step, state: done.includes(step.key) ? "done" : (settled.get(step.key) ?? "open") };
  });
}

/** The steps of the overview, then those of the other sections. @param pause why all email waits, in words */
export function stepsOf(c: OwnerContext, pause: string | null): FirstStep[] {
  const ofSections = c.var.sections.flatMap(({ firstSteps }) => firstSteps?.(c) ?? []);
  return [...siteSteps(c, pause), ...ofSections];
}

/** The keys of the steps that are done. One statement for all. */
async function findDone(db: Db, steps: FirstStep[]): Promise<string[]> {
  const conditions = steps.flatMap(({ key, isDone }) => (typeof isDone === "boolean" ? [] : [columnOf(key, isDone)]));
  const [found] =
    conditions.length === 0 ? [] : await db.all<Record<string, number>>(sql`SELECT ${sql.join(conditions, sql`, `)}`);
  return steps
    .filter(({ key, isDone }) => (typeof isDone === "boolean" ? isDone : found?.[key] === 1))
    .map(({ key }) => key);
}

function columnOf(key: string, condition: SQL): SQL {
  return sql`(${condition}) AS ${sql.identifier(key)}`;
}

async function storeDone(db: Db, keys: string[], now: number): Promise<void> {
  const rows = keys.map((key) => ({ key, outcome: "done" as const, settled_at: now }));
  const set = { outcome: sql`excluded.outcome`, settled_at: now };
  await db
    .insert(settledSteps)
    .values(rows)
    .onConflictDoUpdate({ target: settledSteps.key, set })
    .catch((error: unknown) => logError("first-steps-not-stored", error));
}

/** Dismisses a step for all owners, or brings it back. */
export async function changeStep(c: OwnerContext) {
  const { form, app } = c.var;
  const [key, intent] = [fieldText(form, "step"), form.get("intent")];
  const isKnown = stepsOf(c, null).some((step) => step.key === key);
  if (!isKnown || (intent !== "dismiss" && intent !== "restore")) return badRequest(c);
  const row = { key, outcome: "dismissed" as const, settled_at: app.now() };
  const isRow = and(eq(settledSteps.key, key), eq(settledSteps.outcome, "dismissed"));
  const changed =
    intent === "dismiss"
      ? await app.db.insert(settledSteps).values(row).onConflictDoNothing().returning()
      : await app.db.delete(settledSteps).where(isRow).returning();
  if (changed.length > 0) await c.var.record(`${intent}-step`, { step: key });
  return c.redirect(`/owner?done=${changed.length > 0 ? `${intent}-step` : "unchanged"}`, 303);
}

export function hasJoined(steps: ShownStep[]): boolean {
  return steps.some(({ key, state }) => key === SIGN_UP && state === "done");
}

interface FirstStepsProps {
  steps: ShownStep[];
  showsDismissed: boolean;
}

/** The overview before the first sign-up. */
export function firstDayView({ attention, ...props }: FirstStepsProps & { attention: AttentionItem[] }) {
  return (
    <Page title="Overview" section="overview" heading="No one has joined yet">
      <Outcome />
      <p className="lead">Follow these steps to get started. Each is ticked off automatically.</p>
      <Attention items={attention} />
      <FirstSteps steps={props.steps} isFolded={false} />
      <DismissedSteps {...props} />
      <p>
        <a className="quiet-link" href="/owner/emails">
          Change the words of the welcome and confirmation emails
        </a>
      </p>
    </Page>
  );
}

/**
 * What is left to do, and what was done meanwhile. Nothing once all are done or dismissed.
 *
 * @param isFolded whether one line stands for them until it is opened
 */
export function FirstSteps({ steps, isFolded }: { steps: ShownStep[]; isFolded: boolean }) {
  const open = steps.filter(({ state }) => state === "open");
  const done = steps.filter(({ state }) => state === "done");
  if (open.length === 0) return null;
  const list = (
    <>
      <ol className="bare-list first-steps">
        {open.map((step) => (
          <Step key={step.key} step={step} />
        ))}
      </ol>
      {done.length === 0 ? null : (
        <ul className="bare-list row done-steps">
          {done.map(({ key, title }) => (
            <li key={key}>
              <span className="visually-hidden">Done: </span>
              {title}
            </li>
          ))}
        </ul>
      )}
    </>
  );
  if (!isFolded) {
    return (
      <section className="panel steps" aria-labelledby="first-steps">
        <h2 id="first-steps" className="visually-hidden">
          First steps
        </h2>
        {list}
      </section>
    );
  }
  return (
    <details className="panel steps">
      <summary className="row spread">
        <h2>First steps</h2>
        <span className="hint">{`${done.length} of ${open.length + done.length} done`}</span>
      </summary>
      {list}
    </details>
  );
}

function Step({ step: { key, title, text, action } }: { step: ShownStep }) {
  return (
    <li>
      <h3>{title}</h3>
      <Lines text={text} />
      <div className="row">
        {action === undefined ? null : <ButtonLink {...action} />}
        <ButtonForm action="/owner/steps" hidden={{ step: key }} value="dismiss" label="Not needed" />
      </div>
    </li>
  );
}

/** A link to the steps that were dismissed, or those steps. */
export function DismissedSteps({ steps, showsDismissed }: FirstStepsProps) {
  const dismissed = steps.filter(({ state }) => state === "dismissed");
  if (dismissed.length === 0) return null;
  if (!showsDismissed) {
    return (
      <p>
        <a className="quiet-link" href="/owner?steps=dismissed#dismissed-steps">
          Show dismissed steps
        </a>
      </p>
    );
  }
  return (
    <Section id="dismissed-steps" title="Dismissed steps">
      <ul className="bare-list">
        {dismissed.map(({ key, title }) => (
          <li key={key}>
            <ButtonForm
              className="row spread flush"
              action="/owner/steps"
              hidden={{ step: key }}
              text={title}
              value="restore"
              label="Bring back"
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
