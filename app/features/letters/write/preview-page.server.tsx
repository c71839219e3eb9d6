import { forScheme } from "#app/email/blocks/email-styles.server.ts";
import {
  checkLetter,
  type LetterContent,
  type LetterProblems,
} from "#app/features/letters/send/check-letter.server.ts";
import { LetterProblemError, NOTHING_WRITTEN } from "#app/features/letters/send/letter-problems.server.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { type LetterLinks, renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { SizeWarning } from "#app/features/letters/write/email-size.server.tsx";
import { LetterPage } from "#app/features/letters/write/letter-frame.server.tsx";
import { Actions, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Facts } from "#app/owner/ui/data.server.tsx";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Message } from "#app/owner/ui/page.server.tsx";
import type { AppContext } from "#app/server/context.ts";
import { noScriptCsp } from "#app/server/http/csp.server.ts";
import { myDataUrl, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { fillGreetings, greetingKeys, sampleAnswers } from "#app/waitlist/questions/greetings.server.ts";

export async function showPreview(c: OwnerContext, letter: Letter) {
  const preview = await readPreview(c, previewOf(c, letter));
  const { isDraft, path } = preview;
  return c.render(
    <LetterPage
      letter={letter}
      current={isDraft ? "Preview" : undefined}
      back={isDraft ? undefined : { href: path, name: "Back to its results" }}
    >
      <EmailPreview preview={preview} />
      {isDraft && preview.rendered !== null ? (
        <Actions>
          <ButtonLink label="Choose the audience" href={`${path}/audience`} />
          <ButtonLink label="Send it to yourself" kind="quiet" href={`${path}/send#test`} />
        </Actions>
      ) : null}
    </LetterPage>,
    { policy: framingCsp },
  );
}

export function showEmail(c: OwnerContext, letter: Letter) {
  return respondWithEmail(c, previewOf(c, letter));
}

export function previewOf(c: OwnerContext, letter: Letter): Previewed {
  const { id, state, is_public } = letter;
  const web = is_public ? `${c.var.app.emailContext.siteUrl}/letters/${id}` : null;
  return { name: "letter", path: `/owner/letters/${id}`, content: letter, isDraft: state === "draft", web };
}

/** For the page that shows an email in frames. */
export const framingCsp = `${noScriptCsp}; frame-src 'self'`;

/** For an email in such a frame: its own styles and images of any site, and nothing that runs. */
export function framedEmailCsp(siteUrl: string): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    // A local site has no https.
    `img-src https: ${siteUrl}/pictures/ ${siteUrl}/email/`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox",
  ].join("; ");
}

export interface Previewed {
  name: "letter" | "follow-up";
  /** Of its form. */
  path: `/owner/${string}`;
  content: LetterContent;
  /** Whether it can still be changed. Others were checked when they were written. */
  isDraft: boolean;
  /** The page where anyone can read it; null if there is none. */
  web: LetterLinks["web"];
}

/** What its page shows: the email, or what has to be mended first, or the fault of one that cannot be shown any more. */
export async function readPreview(c: OwnerContext, previewed: Previewed) {
  const { app } = c.var;
  const { content, web, isDraft } = previewed;
  const problems = isDraft ? checkLetter(content) : null;
  const scheme: "dark" | "light" = c.req.query("scheme") === "dark" ? "dark" : "light";
  const replyTo = content.reply_to ?? app.emailContext.replyTo;
  /** Of greetings; null shows what people without one read. */
  const answers = c.req.query("greeting") === "fallback" ? null : sampleAnswers();
  const preview = { ...previewed, problems, scheme, answers, replyTo, rendered: null, fault: null };
  // A missing subject is no obstacle.
  if (problems !== null && problems.body.length > 0) return preview;
  try {
    const rendered = renderLetter(content, await ownLinks(app, web), app.emailContext, answers);
    return { ...preview, rendered };
  } catch (error) {
    if (error instanceof LetterProblemError) return { ...preview, fault: error.message };
    throw error;
  }
}

type Preview = Awaited<ReturnType<typeof readPreview>>;

export async function respondWithEmail(c: OwnerContext, previewed: Previewed) {
  const { rendered, scheme } = await readPreview(c, previewed);
  if (rendered === null) return c.notFound();
  c.header("Content-Security-Policy", framedEmailCsp(c.var.app.emailContext.siteUrl));
  return c.html(forScheme(rendered.html, scheme));
}

/** The links of a test or a preview, which belong to no one: entries are counted from 1. */
export async function ownLinks(app: AppContext, web: LetterLinks["web"]): Promise<LetterLinks> {
  const { siteUrl, hashKey, linkSecret } = app.emailContext;
  return {
    unsubscribe: siteUrl + unsubscribePath(await signEntryToken("unsubscribe:v1", 0, hashKey)),
    entry: myDataUrl(siteUrl, await signDataToken(0, app.now(), linkSecret)),
    web,
  };
}

export function EmailPreview({ preview }: { preview: Preview }) {
  const { name, path, content, problems, fault, scheme, answers, rendered, replyTo } = preview;
  const warning = problems === null ? null : <NotReady name={name} path={path} problems={problems} />;
  if (rendered === null) {
    return warning ?? <Message kind="error">{`This ${name} cannot be shown any more. ${fault}`}</Message>;
  }
  const { subject, preview_line, body } = content;
  const query = (colours: Preview["scheme"], withAnswers: boolean) =>
    `?scheme=${colours}${withAnswers ? "" : "&greeting=fallback"}`;
  const isFilled = answers !== null;
  return (
    <>
      {warning}
      <SizeWarning name={name} html={rendered.html} />
      <Facts
        facts={[
          ["Subject", rendered.subject || "None yet"],
          ["Preview line", fillGreetings(preview_line, answers) || "None: inboxes show the beginning of the text"],
          ["Replies go to", replyTo],
        ]}
      />
      <Pills
        label="Colour scheme"
        links={[
          { text: "Light", href: query("light", isFilled), isCurrent: scheme === "light" },
          { text: "Dark", href: query("dark", isFilled), isCurrent: scheme === "dark" },
        ]}
      />
      {greetingKeys(subject + preview_line + body).length === 0 ? null : (
        <Pills
          label="Greetings"
          links={[
            { text: "With an answer", href: query(scheme, true), isCurrent: isFilled },
            { text: "Without an answer", href: query(scheme, false), isCurrent: !isFilled },
          ]}
        />
      )}
      <div className="columns late frames letter-frames">
        {/* In a sandbox, without the rights of this page. */}
        {["Desktop", "Phone"].map((device) => (
          <figure key={device} className={`letter-frame-${device.toLowerCase()}`}>
            <figcaption>{device}</figcaption>
            <iframe
              src={`${path}/email${query(scheme, isFilled)}`}
              title={`The ${name} on a ${device.toLowerCase()}`}
              sandbox=""
            />
          </figure>
        ))}
      </div>
      <h2 id="text-version">Text version</h2>
      <p className="hint">For people whose email program shows no HTML.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll sideways, also with the keyboard */}
      <section className="panel narrow letter-text" aria-labelledby="text-version" tabIndex={0}>
        <pre>{rendered.text}</pre>
      </section>
    </>
  );
}

type NotReadyProps = Pick<Previewed, "name" | "path"> & { problems: LetterProblems };

export function NotReady({ name, path, problems }: NotReadyProps) {
  return (
    <Message kind="error">
      {`The ${name} cannot be sent as it is. `}
      <a href={path}>Edit it</a>
      <ProblemList problems={problems} />
    </Message>
  );
}

export function ProblemList({ problems: { body, ...fields } }: Pick<NotReadyProps, "problems">) {
  const sentences = [
    ...Object.values(fields).filter((problem) => problem !== null),
    ...body.map(({ line, text }) => (text === NOTHING_WRITTEN ? text : `Line ${line}: ${text}`)),
  ];
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
