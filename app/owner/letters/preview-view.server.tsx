import type { Letter } from "#app/email/letters/letters.server.ts";
import { EmailPreview, type EmailPreviewProps } from "#app/owner/letters/email-preview.server.tsx";
import { LetterPage } from "#app/owner/letters/letter-frame.server.tsx";
import { Actions, ButtonLink } from "#app/owner/ui/actions.server.tsx";

/** The letter as its recipients get it. */
export function letterPreviewView({ letter, preview }: { letter: Letter; preview: EmailPreviewProps }) {
  const isDraft = letter.state === "draft";
  return (
    <LetterPage
      letter={letter}
      step={isDraft ? "preview" : undefined}
      back={isDraft ? undefined : { href: `/owner/letters/${letter.id}`, name: "Back to its results" }}
    >
      <EmailPreview {...preview} />
      {isDraft && preview.rendered !== null ? (
        <Actions>
          <ButtonLink label="Choose the audience" href={`/owner/letters/${letter.id}/audience`} />
          <ButtonLink label="Send it to yourself" kind="quiet" href={`/owner/letters/${letter.id}/send#test`} />
        </Actions>
      ) : null}
    </LetterPage>
  );
}
