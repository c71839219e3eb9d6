import type { Letter } from "#app/email/letters/letters.server.ts";
import { letterPreviewView } from "#app/owner/letters/preview-view.server.tsx";
import { framingCsp, type Previewed, readPreview, respondWithEmail } from "#app/owner/letters/read-preview.server.ts";
import { webPage } from "#app/owner/letters/send-test.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

/** The page with the letter in frames. */
export async function showPreview(c: OwnerContext, letter: Letter) {
  const preview = await readPreview(c, previewOf(c, letter));
  return c.render(letterPreviewView({ letter, preview }), { policy: framingCsp });
}

/** The email itself, as the frames show it. */
export function showEmail(c: OwnerContext, letter: Letter) {
  return respondWithEmail(c, previewOf(c, letter));
}

function previewOf(c: OwnerContext, letter: Letter): Previewed {
  const path = `/owner/letters/${letter.id}` as const;
  const web = webPage(c.var.app, letter);
  return { name: "letter", path, words: letter, isDraft: letter.state === "draft", web };
}
