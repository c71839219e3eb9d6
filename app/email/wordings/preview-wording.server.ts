import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { type EmailContext, entryTemplates } from "#app/email/render-email.server.ts";
import type { WordedKind, Wording } from "#app/email/wordings/wording.ts";

/** An email with an owner's words, as its recipients get it. Its links lead nowhere. */
export function previewWording(kind: WordedKind, wording: Wording, { siteUrl, launchUrl, controller }: EmailContext) {
  const pathTo = (folder: string) => `${siteUrl}/${folder}/…`;
  const content = entryTemplates[kind]({
    siteUrl,
    launchUrl,
    controller,
    dataUrl: pathTo("your-data"),
    confirmUrl: pathTo("confirm"),
    unsubscribeUrl: pathTo("unsubscribe"),
    wording,
  });
  return renderContent(content);
}
