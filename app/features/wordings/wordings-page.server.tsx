import type { SQL } from "drizzle-orm";
import { forScheme } from "#app/email/blocks/email-styles.server.ts";
import { type EmailWording, type WordedKind, wordedKinds } from "#app/email/templates/wording.ts";
import { checkWording, MAX_WORDING_LENGTH } from "#app/features/wordings/check-wording.server.ts";
import {
  deleteWording,
  findEmailWording,
  listWordings,
  originalWording,
  previewWording,
  saveWording,
  testOfWording,
} from "#app/features/wordings/wordings.server.ts";
import { EditorHead, editorCsp, keptForm } from "#app/owner/editor/writing-form.server.tsx";
import { sendTest, TEST_MARK } from "#app/owner/test-email.server.ts";
import { Actions, Button, Confirm } from "#app/owner/ui/actions.server.tsx";
import { Table } from "#app/owner/ui/data.server.tsx";
import { Field, FieldProblem } from "#app/owner/ui/field.server.tsx";
import { runIntent } from "#app/owner/ui/intent.server.ts";
import { emailKinds, formatTime } from "#app/owner/ui/labels.ts";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { type OwnerContext, type OwnerHandler, pageToChange } from "#app/owner/ui/owner-context.ts";
import { Advanced, Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { ConflictView, VersionInputs, VersionsLink } from "#app/owner/versions/version-views.server.tsx";
import {
  type Conflict,
  findConflict,
  isSameText,
  keepVersions,
  shownVersion,
} from "#app/owner/versions/versions.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";
import { logInfo } from "#app/server/log.ts";
import { greetingKeys, sampleAnswers } from "#app/waitlist/questions/greetings.server.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";

/** The page holds the email's HTML in frames, which inherit its policy: emails have style attributes. */
const previewCsp = editorCsp.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

export async function showEmails(c: OwnerContext) {
  const { db, timeZone, mustConfirm } = c.var.app;
  const changed = await listWordings(db);
  const stateOf = (kind: WordedKind) => {
    const found = changed.find((wording) => wording.kind === kind);
    return found === undefined ? "Original" : `Changed ${formatTime(found.updated_at, timeZone)}`;
  };
  const isSent = (kind: WordedKind) => kind === "welcome" || mustConfirm;
  return c.render(
    <Page title="Words of emails" section="emails" back={{ href: "/owner#emails", name: "Back to the overview" }}>
      <Outcome />
      <p className="lead">The emails that the site sends automatically to people who join.</p>
      <Table
        className="cards"
        caption="Open one to read or change it"
        columns={[
          { name: "Email", kind: "words", cell: (kind) => <a href={`/owner/emails/${kind}`}>{emailKinds[kind]}</a> },
          {
            name: "Sent",
            kind: "words",
            cell: (kind) => (isSent(kind) ? occasions[kind] : "Not now: people are not asked to confirm their address"),
          },
          { name: "Words", kind: "words", cell: stateOf },
        ]}
        rows={[...wordedKinds]}
        rowKey={(kind) => kind}
      />
      {mustConfirm ? null : <AskToConfirm page={pageToChange(c, "sign-ups")} />}
    </Page>,
  );
}

function AskToConfirm({ page }: { page: string | undefined }) {
  if (page === undefined) return <Advanced>set CONFIRM_ADDRESSES to on to ask people to confirm.</Advanced>;
  return (
    <p>
      <a className="quiet-link" href={page}>
        Ask people to confirm
      </a>
    </p>
  );
}

const occasions: Record<WordedKind, string> = {
  welcome: "To everyone who joins",
  confirm: "To everyone who joins, before the welcome email",
  "confirm-reminder": "Once, three days later, to those who have not confirmed",
};

export function showWording(kind: WordedKind): OwnerHandler {
  return (c) => respond(c, kind);
}

export function changeWording(kind: WordedKind): OwnerHandler {
  return (c) => runIntent(c, handlers, kind, readWords(c.var.form));
}

const handlers = {
  preview: respond,
  "preview-fallback": (c: OwnerContext, kind: WordedKind, typed: EmailWording) =>
    respond(c, kind, typed, { isFallback: true }),
  test,
  save,
  restore,
};

/** Sends the words that were typed, saved or not. */
async function test(c: OwnerContext, kind: WordedKind, typed: EmailWording) {
  const { app, owner } = c.var;
  if (Object.keys(checkWording(kind, typed)).length > 0) return respond(c, kind, typed);
  const wording = { ...typed, subject: TEST_MARK + typed.subject };
  const to = { to: owner.email, now: app.now(), context: app.emailContext };
  const { problem } = await sendTest(c, await testOfWording(kind, wording, to), "email-tested", { kind });
  if (problem !== null) return respond(c, kind, typed, { testProblem: problem });
  await c.var.record("test-email", { email: emailKinds[kind] });
  if (await isPresent(c, kind, typed)) return c.redirect(`/owner/emails/${kind}?done=email-tested`, 303);
  return respond(c, kind, typed, { isTested: true });
}

/** Whether words are those that the email has now. */
async function isPresent(c: OwnerContext, kind: WordedKind, typed: EmailWording): Promise<boolean> {
  const present = (await findEmailWording(c.var.app.db, kind)) ?? (await originalOf(c, kind));
  return isSameText(wordingFields(present), wordingFields(typed));
}

async function save(c: OwnerContext, kind: WordedKind, typed: EmailWording): Promise<Response> {
  const { db, now } = c.var.app;
  if (Object.keys(checkWording(kind, typed)).length > 0) return respond(c, kind, typed);
  const path = wordingPath(kind);
  const stored = await findEmailWording(db, kind);
  const present = wordingFields(stored ?? (await originalOf(c, kind)));
  const text = { path, present, typed: wordingFields(typed) };
  if (isSameText(text.present, text.typed)) return c.redirect(`${path}?done=unchanged`, 303);
  const conflict = await findConflict(c, text);
  if (conflict !== null) return respond(c, kind, typed, { conflict });
  const keep = (isUnchanged: SQL) => keepVersions(c, { ...text, isUnchanged });
  // Otherwise another form was saved at the same moment.
  if (!(await saveWording(db, kind, { typed, stored, now: now() }, keep))) return save(c, kind, typed);
  await c.var.record("edit-email", { email: emailKinds[kind] });
  logInfo("email-words-changed", { kind });
  return c.redirect(`${path}?done=worded`, 303);
}

async function restore(c: OwnerContext, kind: WordedKind): Promise<Response> {
  const { db } = c.var.app;
  const path = wordingPath(kind);
  const stored = await findEmailWording(db, kind);
  if (stored === null) return c.redirect(`${path}?done=unchanged`, 303);
  const original = await originalOf(c, kind);
  const text = { path, present: wordingFields(stored), typed: wordingFields(original) };
  const conflict = await findConflict(c, text);
  if (conflict !== null) return respond(c, kind, original, { conflict });
  const keep = (isUnchanged: SQL) => keepVersions(c, { ...text, isUnchanged });
  // Otherwise another form was saved at the same moment.
  if (!(await deleteWording(db, stored, keep))) return restore(c, kind);
  await c.var.record("restore-email", { email: emailKinds[kind] });
  return c.redirect(`${path}?done=restored`, 303);
}

interface Shown {
  /** Whether the preview is as people without an answer get it. */
  isFallback?: boolean;
  isTested?: boolean;
  /** Why a test was not sent. */
  testProblem?: string;
  conflict?: Conflict;
}

/** @param typed words that are not saved */
async function respond(c: OwnerContext, kind: WordedKind, typed: EmailWording | null = null, shown: Shown = {}) {
  const { isFallback = c.req.query("greeting") === "fallback", isTested = false, testProblem, conflict } = shown;
  const { db, emailContext, timeZone, mustConfirm } = c.var.app;
  const stored = await findEmailWording(db, kind);
  const present = stored ?? (await originalOf(c, kind));
  const wording = typed ?? present;
  const problems: ReturnType<typeof checkWording> = typed === null ? {} : checkWording(kind, typed);
  const isRefused = Object.keys(problems).length > 0;
  if (isRefused) c.status(422);
  if (testProblem !== undefined) c.status(502);
  if (conflict !== undefined) c.status(409);
  const field = (name: keyof EmailWording) => ({ name, value: wording[name], problem: problems[name] });
  const path = wordingPath(kind);
  const kept = await keptForm(c, path, { unsaved: typed !== null });
  const preview = isRefused ? null : previewWording(kind, wording, emailContext, isFallback ? null : sampleAnswers());
  const hasGreetings = greetingKeys(Object.values(wording).join("\n")).length > 0;
  return c.render(
    <Page
      title={`${emailKinds[kind]}: the words`}
      section="emails"
      back={{ href: "/owner/emails", name: "All emails" }}
      head={<EditorHead />}
    >
      <Outcome />
      {conflict === undefined ? null : <ConflictView {...conflict} timeZone={timeZone} />}
      <p>
        {stored === null
          ? "This email has its original words."
          : `An owner changed the words on ${formatTime(stored.updated_at, timeZone)}.`}{" "}
        Each email uses the words as they are when it is sent.
      </p>
      {isTested ? <Message kind="success">{`The test has been sent to ${c.var.owner.email}.`}</Message> : null}
      {typed !== null && preview !== null && conflict === undefined ? (
        <Message role="alert">
          Your words are not saved yet. <a href="#preview">See them in the preview</a>, then choose Save.
        </Message>
      ) : null}
      {kind === "welcome" || mustConfirm ? null : (
        <Message>
          <p>This email is not sent now, because people are not asked to confirm their address.</p>
          <AskToConfirm page={pageToChange(c, "sign-ups")} />
        </Message>
      )}
      {kind === "welcome" ? null : (
        <Message>
          An email that asks for confirmation must not contain promotion, because its recipient may not have asked for
          it. Its only link is the button.
        </Message>
      )}
      <form
        className="form narrow"
        method="post"
        action={path}
        {...kept}
        data-tools={kind === "welcome" ? "bold italic list link greeting" : "bold italic list"}
        data-greetings={JSON.stringify(askedQuestions().map(({ key, label }) => ({ key, label })))}
      >
        <VersionInputs {...(await shownVersion(c, wordingFields(present), conflict))} />
        <Field {...field("subject")} label="Subject" maxLength={150} spellCheck />
        <Field {...field("heading")} label="Heading" maxLength={150} spellCheck />
        <Field
          {...field("body")}
          label="Text"
          hint={hints[kind === "welcome" ? "welcome" : "confirm"]}
          rows={kind === "welcome" ? 16 : 8}
          maxLength={MAX_WORDING_LENGTH}
          spellCheck
        />
        <p className="hint">{fixedParts[kind === "welcome" ? "welcome" : "confirm"]}</p>
        <Actions>
          <Button label="Preview" kind="quiet" value="preview" />
          {hasGreetings ? <Button label="Preview without an answer" kind="quiet" value="preview-fallback" /> : null}
          <Button label="Save" value="save" />
        </Actions>
        <Actions>
          <Button
            label="Send a test to myself"
            kind="quiet"
            value="test"
            describedBy={testProblem === undefined ? "test-hint" : "test-problem"}
          />
        </Actions>
        <FieldProblem id="test-problem">{testProblem}</FieldProblem>
        <p id="test-hint" className="hint">
          Sends the words above to <strong>{c.var.owner.email}</strong>, saved or not
          {kind === "welcome" ? ", as people without answers get them" : ""}. Links in it lead to no one’s entry.
        </p>
      </form>
      <VersionsLink path={wordingPath(kind)} />
      {stored === null ? null : (
        <Confirm
          label="Back to the original"
          question="Back to the original"
          value="restore"
          hidden={{ ...(await shownVersion(c, wordingFields(present), conflict)) }}
          text="This restores the original words. Yours stay among the earlier versions."
        />
      )}
      {preview === null ? null : (
        <Preview kind={kind} {...preview} isTyped={typed !== null} greetings={hasGreetings ? { isFallback } : null} />
      )}
    </Page>,
    { policy: previewCsp },
  );
}

function wordingPath(kind: WordedKind): string {
  return `/owner/emails/${kind}`;
}

/** What the form replaces. */
function wordingFields({ subject, heading, body }: EmailWording): SavedFields {
  return [
    ["subject", subject],
    ["heading", heading],
    ["body", body],
  ];
}

/** As people who join now are sent it. */
async function originalOf(c: OwnerContext, kind: WordedKind): Promise<EmailWording> {
  const { launchUrl, now } = c.var.app;
  const promise = wordingFor(await readHasFollowUps(c.var.app)).text;
  return originalWording(kind, { launchUrl, promise, now: now() });
}

/** Forms send each line break as two characters. */
function readWords(form: FormData): EmailWording {
  const body = form.get("body");
  return {
    subject: fieldText(form, "subject"),
    heading: fieldText(form, "heading"),
    body: typeof body === "string" ? body.replace(/\r\n?/g, "\n").trim() : "",
  };
}

const markdown = "Leave an empty line between paragraphs. Begin each item of a list with a hyphen.";

/** Most people are sent the welcome email before they answer, unless they have to confirm first. */
function greetingHint(): string {
  const [question] = askedQuestions();
  if (question === undefined) return "";
  return ` {{${question.key}|there}} becomes the reader’s answer to “${question.label}”, also in the subject and the heading, or the words after the | sign. People are asked after they have joined, so many have no answer yet when this email goes out.`;
}

const hints = {
  welcome: `${markdown} **bold**, *italics*, [a link](https://example.com).${greetingHint()}`,
  confirm: `${markdown} **bold**, *italics*.`,
};

const fixedParts = {
  welcome:
    "Below your text come a button to the site, the reason people get the email, links to unsubscribe and to see or erase their entry, and who sends it.",
  confirm:
    "Below your text come the button to confirm, what happens to people who do not, and who sends the email. People whom you added yourself are told so there.",
};

interface PreviewProps extends ReturnType<typeof previewWording> {
  kind: WordedKind;
  isTyped: boolean;
  /** Null without any. */
  greetings: { isFallback: boolean } | null;
}

function Preview({ kind, subject, html, text, isTyped, greetings }: PreviewProps) {
  const whose = greetings === null ? "" : greetings.isFallback ? " For people without an answer." : " With an answer.";
  return (
    <Section id="preview" title="Preview">
      <p>{`${isTyped ? "With the words above, which are not saved yet." : "As it is sent now."}${whose}`}</p>
      <p>
        Subject: <strong>{subject}</strong>
      </p>
      {greetings === null || isTyped ? null : (
        <Pills
          label="Greetings"
          links={[
            { text: "With an answer", href: `/owner/emails/${kind}#preview`, isCurrent: !greetings.isFallback },
            { text: "Without an answer", href: "?greeting=fallback#preview", isCurrent: greetings.isFallback },
          ]}
        />
      )}
      <div className="columns frames">
        {(["light", "dark"] as const).map((scheme) => (
          <figure key={scheme}>
            <figcaption>{scheme === "light" ? "In the light scheme" : "In the dark scheme"}</figcaption>
            <iframe srcDoc={forScheme(html, scheme)} title={`${emailKinds[kind]}, ${scheme} scheme`} sandbox="" />
          </figure>
        ))}
      </div>
      <h3 id="text-version">Text version</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll sideways, also with the keyboard */}
      <section className="panel narrow" aria-labelledby="text-version" tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </Section>
  );
}
