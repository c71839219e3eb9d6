import { createLetter, type Letter, setLetterPublic } from "#app/features/letters/send/letters.server.ts";
import { toLetter } from "#app/features/letters/write/letter-frame.server.tsx";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Section } from "#app/owner/ui/page.server.tsx";
import type { AppContext } from "#app/server/context.ts";

/** Makes a draft of the same words. Only a draft's audience comes along: that of another letter was written to already. */
export async function duplicate(c: OwnerContext, { id, state, audience, is_invitation, ...letter }: Letter) {
  const { subject, preview_line, body, reply_to } = letter;
  const isDraft = state === "draft";
  const draft = { subject, preview_line, body, reply_to, ...(isDraft ? { audience, is_invitation } : {}) };
  const copyId = await createLetter(c.var.app.db, draft, c.var.app.now());
  await c.var.record("duplicate-letter", { letterId: id, as: `letter ${copyId}` });
  return toLetter(c, copyId, `?done=${isDraft ? "duplicated" : "duplicated-for-all"}`);
}

export function Duplicate({ letter: { id, state } }: { letter: Letter }) {
  return (
    <ButtonForm
      className="letter-duplicate"
      action={`/owner/letters/${id}`}
      value="duplicate"
      label="Duplicate"
      text={
        state === "draft"
          ? "Makes a new draft with the words that were saved last, and with the same audience."
          : "Makes a new draft with the same words. Its audience is everyone on the waitlist until you choose another."
      }
    />
  );
}

export async function publish(c: OwnerContext, { id }: Letter) {
  const { form } = c.var;
  const isPublic = form.get("intent") === "publish";
  const isChanged = await setLetterPublic(c.var.app.db, id, isPublic);
  if (isChanged) await c.var.record(isPublic ? "publish-letter" : "unpublish-letter", { letterId: id });
  const done = isChanged ? (isPublic ? "published" : "unpublished") : "unchanged";
  return toLetter(c, id, `${form.get("back") === "send" ? "/send" : ""}?done=${done}`);
}

export function PublicChoice({ letter, back }: { letter: Letter; back: "send" | "progress" }) {
  const { id, state, is_public, has_web_link } = letter;
  const isStarted = state !== "draft" && state !== "scheduled";
  const later = isStarted ? "." : ", and its emails link to that page.";
  return (
    <Section id="public" title="On the web">
      <ButtonForm
        action={`/owner/letters/${id}`}
        hidden={{ back }}
        text={
          <>
            {is_public ? (
              <>
                Public: anyone can read it at <a href={`/letters/${id}`}>{`/letters/${id}`}</a>
                {isStarted ? "." : ", once it is being sent. Its emails link to that page."}
              </>
            ) : (
              `Private: only recipients can read it. If you make it public, anyone can read it at /letters${later}`
            )}
            {isStarted && is_public && !has_web_link ? " Its emails do not link to that page." : ""}
            {isStarted && !is_public && has_web_link ? " The link in its emails leads nowhere." : ""}
          </>
        }
        value={is_public ? "unpublish" : "publish"}
        label={is_public ? "Make it private" : "Make it public"}
      />
    </Section>
  );
}

/** Where anyone can read the letter; null if it is not public. */
export function webPage({ emailContext }: AppContext, { id, is_public }: Letter): string | null {
  return is_public ? `${emailContext.siteUrl}/letters/${id}` : null;
}
