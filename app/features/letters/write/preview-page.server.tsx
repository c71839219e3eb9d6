import type { Letter } from "#app/features/letters/send/letters.server.ts";
import {
  EmailPreview,
  framingCsp,
  type Previewed,
  readPreview,
  respondWithEmail,
} from "#app/features/letters/write/email-preview.server.tsx";
import { webPage } from "#app/features/letters/write/letter-actions.server.tsx";
import { LetterPage } from "#app/features/letters/write/letter-frame.server.tsx";
import { Actions, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

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

function previewOf(c: OwnerContext, letter: Letter): Previewed {
  const web = webPage(c.var.app, letter);
  return { name: "letter", path: `/owner/letters/${letter.id}`, words: letter, isDraft: letter.state === "draft", web };
}
