import type { ReactNode } from "react";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { type Question, site } from "#app/site.ts";
import { BackHome } from "#app/ui/back-home.tsx";
import { PageDrawing } from "#app/ui/illustrations/page-drawing.tsx";
import type { PageSceneName } from "#app/ui/illustrations/page-scenes.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useRootData } from "#app/ui/root-data.ts";
import { type Detail, type Intent, UNDER_WAY, underWayMessage } from "#app/waitlist/my-data/entry-view.ts";
import type { EntryView } from "#app/waitlist/my-data/own-entry.server.ts";
import { answerField, answerText } from "#app/waitlist/questions/answers.ts";
import { DefaultButton, QuestionFields } from "#app/waitlist/questions/question-fields.tsx";
import { WORDING_FIELD, wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { Ticket } from "#app/waitlist/sign-up/ticket/ticket.tsx";
import type { TicketData } from "#app/waitlist/sign-up/ticket/ticket-data.ts";

type FoundEntry = Extract<EntryView, { masked: string }>;

interface MyDataProps {
  view: EntryView;
  message: string | null;
  /** Answers that were refused, to be corrected. */
  typed: Answers | undefined;
  /** What is on record about the consent; null without an entry. */
  record: Detail[] | null;
  /** Of an active entry. */
  ticket: TicketData | null;
  /** What features show of the entry. */
  children?: ReactNode;
  hasFollowUps: boolean;
}

export const NEW_LINK = "new-link";

export const SHOW_DATA = "show-data";

/** The `intent` of the form. A button that was pressed answers a question, or removes its answer. */
export const ANSWERS = "answers";

/** The message where the link was used too often. Leaving is never refused. */
export const LIMITED =
  "This link has been used too often in a short time. Please try again in ten minutes. You can unsubscribe or erase your entry at any time.";

const linkRequested = "If your address is still on record, we’ve emailed you a new link. Please check your email.";

const answersStored = "We’ve stored your answers as you see them here.";

/** What a change did; `expects`: whether the entry's state agrees with that. */
const messages: Record<
  Intent | typeof NEW_LINK | typeof ANSWERS,
  { expects: (view: EntryView) => boolean; done: string; already: string }
> = {
  unsubscribe: {
    expects: ({ kind }) => kind === "unsubscribed",
    done: "You’ve unsubscribed.",
    already: "You’d already unsubscribed.",
  },
  rejoin: {
    expects: ({ kind }) => kind === "active",
    done: "You’re back on the waitlist.",
    already: "You were already on the waitlist.",
  },
  never: {
    expects: (view) => view.kind === "unsubscribed" && view.never,
    done: "We’ll never email this address again.",
    already: "We already send no email to this address.",
  },
  erase: {
    expects: ({ kind }) => kind === "gone",
    done: "Your entry has been erased. We won’t add you again unless you sign up.",
    already: "Your entry had already been erased.",
  },
  [ANSWERS]: { expects: (view) => "answers" in view, done: answersStored, already: answersStored },
  [NEW_LINK]: { expects: ({ kind }) => kind === "expired", done: linkRequested, already: linkRequested },
};

/** The message for a query such as `?done=erase`; null if the entry's state contradicts it. */
export function flashMessage(search: URLSearchParams, view: EntryView): string | null {
  const hasLeft = view.kind === "unsubscribed" || view.kind === "gone";
  const mayArrive = ("underWay" in view && view.underWay) || (hasLeft && search.has(UNDER_WAY));
  return [changeMessage(search, view), mayArrive ? underWayMessage : null].filter(Boolean).join(" ") || null;
}

function changeMessage(search: URLSearchParams, view: EntryView): string | null {
  for (const outcome of ["done", "already"] as const) {
    const key = search.get(outcome) ?? "";
    const message = Object.hasOwn(messages, key) ? messages[key as keyof typeof messages] : undefined;
    if (message?.expects?.(view)) return message[outcome];
  }
  return null;
}

/** A subscriber's view of their entry. Changes are buttons, because email scanners open links. */
export function MyData({ view, message, typed, record, ticket, hasFollowUps, children }: MyDataProps) {
  return (
    <OwnPage heading="Your entry" scene={sceneOf(view)} isLong message={message}>
      {view.kind === "bad-link" ? <BadLink /> : null}
      {view.kind === "expired" ? <Expired /> : null}
      {view.kind === "gone" ? <Gone /> : null}
      {view.kind === "active" || view.kind === "unsubscribed" ? (
        <Choices {...{ view, typed, ticket, hasFollowUps }} />
      ) : null}
      {children}
      {record === null ? null : (
        <section aria-labelledby="your-consent">
          <h2 id="your-consent">Your consent</h2>
          <Details rows={record} />
        </section>
      )}
    </OwnPage>
  );
}

function sceneOf({ kind }: EntryView): PageSceneName {
  if (kind === "active") return "ledger";
  return kind === "unsubscribed" ? "packing" : "pitch";
}

interface OwnPageProps {
  heading: string;
  message?: string | null;
  scene: PageSceneName;
  /** Has more than a few words, so its drawing stays above them on wide screens too. */
  isLong?: boolean;
  children: ReactNode;
}

/** A page behind a link in an email: a sheet of paper with a drawing. */
export function OwnPage({ heading, message = null, scene, isLong = false, children }: OwnPageProps) {
  return (
    <main id="main" className={isLong ? "own-page own-page-long" : "own-page"}>
      <title>{`${heading} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <div className="own-paper">
        <PageDrawing scene={scene} />
        <div className="prose own-words">
          <h1>{heading}</h1>
          {message === null ? null : (
            <p className="your-entry-answer" role="status">
              {message}
            </p>
          )}
          {children}
        </div>
      </div>
    </main>
  );
}

export function Details({ rows }: { rows: (Detail & { id?: number })[] }) {
  return (
    <dl className="your-entry-details">
      {rows.map(({ name, value, id = name }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function BadLink() {
  return (
    <>
      <p className="lead">
        This link is incomplete. Please open it from the email again, or copy all of it. Some email programs split long
        links.
      </p>
      <BackHome />
    </>
  );
}

export function Gone() {
  const isLaunched = useRootData()?.launch !== undefined;
  return (
    <p className="lead">
      <span>The entry for this link no longer exists.</span>
      {isLaunched ? null : (
        <span>
          {" You can "}
          <PageLink to="/#join">join the waitlist again</PageLink> at any time.
        </span>
      )}
    </p>
  );
}

function Expired() {
  return (
    <form method="post">
      <p className="lead">This link has expired. Links to your entry work for 30 days.</p>
      <button className="button" name="intent" value={NEW_LINK} type="submit">
        Email me a new link
      </button>
    </form>
  );
}

type ChoicesProps = Pick<MyDataProps, "typed" | "ticket" | "hasFollowUps"> & { view: FoundEntry };

function Choices({ view, typed, ticket, hasFollowUps }: ChoicesProps) {
  const wording = wordingFor(hasFollowUps);
  const active = view.kind === "active";
  return (
    <>
      <p className="lead">
        <strong>{view.masked}</strong> <span>{active ? "is on the waitlist." : "is no longer on the waitlist."}</span>
        {!active && view.never ? <span> We send no email to it.</span> : null}
      </p>
      {ticket === null ? null : (
        <div className="sign-up-ticket">
          <Ticket {...ticket} id="entry" />
        </div>
      )}
      <ul className="bare-list your-entry-choices">
        {active ? (
          <Choice
            intent="unsubscribe"
            label="Unsubscribe"
            text="We’ll stop emailing you. We keep your entry, so that we don’t add you again without asking."
          />
        ) : (
          <Choice intent="rejoin" label="Rejoin" text={`You’ll hear from us again. ${wording.text}`}>
            <input type="hidden" name={WORDING_FIELD} value={wording.version} />
          </Choice>
        )}
        {active || view.never ? null : (
          <Choice
            intent="never"
            label="Never email this address again"
            text="We won’t even ask if someone enters it. Only you can undo this, with Rejoin on this page."
          />
        )}
        <Choice intent={SHOW_DATA} label="Show my data" text="Everything we store about you, to read or to download." />
        <Erase />
      </ul>
      {active || Object.keys(view.answers).length > 0 ? <OwnAnswers view={view} typed={typed} /> : null}
    </>
  );
}

/** Asks once more before it erases: the button is inside a closed `<details>`, which needs no script. */
function Erase() {
  return (
    <li className="your-entry-erase">
      <details>
        <summary className="button button-quiet">Erase my entry</summary>
        <form method="post">
          <p>
            Do you really want to erase your entry and everything linked to it? You’ll leave the waitlist, and this
            can’t be undone. We keep only a coded form of your address (a keyed hash), so that we never add you again,
            by hand or from a list.
          </p>
          <div className="actions">
            <button className="button button-danger" name="intent" value="erase" type="submit">
              Yes, erase it permanently
            </button>
            <a className="button button-quiet" href="?">
              No, keep it
            </a>
          </div>
        </form>
      </details>
      <p>Permanently removes your entry and everything linked to it.</p>
    </li>
  );
}

function Choice(props: { label: string; text: string; intent: Intent | typeof SHOW_DATA; children?: ReactNode }) {
  const { label, text, intent, children } = props;
  return (
    <li>
      <form method="post">
        {children}
        <button className="button button-quiet" name="intent" value={intent} type="submit">
          {label}
        </button>
      </form>
      <p>{text}</p>
    </li>
  );
}

function OwnAnswers({ view: { questions, answers }, typed }: Pick<MyDataProps, "typed"> & { view: FoundEntry }) {
  if (questions.length === 0) return null;
  return (
    <form className="your-entry-answers" method="post">
      <DefaultButton />
      <input type="hidden" name="intent" value={ANSWERS} />
      <QuestionFields
        questions={questions}
        id="own"
        answers={{ ...answers, ...typed }}
        after={(question) => <Stored {...{ question, answers }} />}
      />
    </form>
  );
}

function Stored({ question, answers }: { question: Question; answers: Answers }) {
  const answer = answers[question.key];
  if (answer === undefined) return <p>Not answered yet.</p>;
  return (
    <>
      <p>{`Your answer: ${answerText(question, answer)}.`}</p>
      <p>
        <button className="button button-quiet" name={answerField(question)} value="" type="submit">
          Remove my answer<span className="visually-hidden">{` to: ${question.wording}`}</span>
        </button>
      </p>
    </>
  );
}
