import type { HtmlEscapedString } from "hono/utils/html";
import { type Block, paragraph, renderBlocks } from "#app/email/blocks/blocks.ts";
import { html, htmlComponents, smallPrintComponents, textComponents } from "#app/email/blocks/components.server.ts";
import { CARD_WIDTH, DARK, darkStyles, emailStyles, STRIP_HEIGHT } from "#app/email/blocks/email-styles.server.ts";
import type { EmailMessage } from "#app/server/mailer.server.ts";
import { site } from "#app/site.ts";

/** What an email says, before it is rendered. A string is a paragraph. */
export interface EmailContent {
  subject: string;
  /** What inboxes show after the subject, instead of the beginning of the text. */
  previewLine?: string;
  /** Where the name at the top leads; null for no link. */
  siteUrl: string | null;
  /** The origin of the pictures at the top; without it there are none. */
  pictures?: string;
  /** Begins the emails that the site itself writes, whose text it signs. Letters are the owner's own text. */
  heading?: string;
  blocks: (Block | string)[];
  /** Small print: why the recipient gets this email, and how to stop it. */
  footer: (Block | string)[];
}

export function renderContent(content: EmailContent): Pick<EmailMessage, "subject" | "text" | "html"> {
  const blocks = content.blocks.map(toBlock);
  const footer = content.footer.map(toBlock);
  const { subject, siteUrl, heading } = content;
  const signature = siteUrl === null ? site.name : `${site.name}\n${siteUrl}`;
  const text = heading === undefined ? [textOf(blocks)] : [heading, textOf(blocks), signature];
  return {
    subject,
    text: `${text.join("\n\n")}\n\n--\n${textOf(footer)}`,
    html: renderHtml(content, renderBlocks(blocks, htmlComponents), renderBlocks(footer, smallPrintComponents)),
  };
}

function toBlock(block: Block | string): Block {
  return typeof block === "string" ? paragraph(block) : block;
}

function textOf(blocks: Block[]): string {
  return renderBlocks(blocks, textComponents).join("\n\n");
}

/** Tables and style attributes are for email clients, classes for the dark scheme. */
function renderHtml(
  { subject, previewLine = "", siteUrl, pictures, heading }: EmailContent,
  body: HtmlEscapedString[],
  footer: HtmlEscapedString[],
): string {
  const preview = previewLine === "" ? "" : html`<div style="${emailStyles.preview}">${previewLine}</div>`;
  const brand =
    siteUrl === null
      ? html`<span class="e-brand" style="${emailStyles.brand}">${site.name}</span>`
      : html`<a href="${siteUrl}" class="e-brand" style="${emailStyles.brand}">${site.name}</a>`;
  const { logo, strip } = pictures === undefined ? { logo: "", strip: "" } : picturesOf(pictures);
  const title = heading === undefined ? "" : html`<h1 style="${emailStyles.heading1}">${heading}</h1>`;
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${darkStyles}</style>
</head>
<body class="e-page" style="${emailStyles.page}">${preview}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="e-card" style="${emailStyles.card}">
<tr><td class="e-bar" style="${emailStyles.bar}">${logo}${brand}</td></tr>
${strip}<tr><td style="padding:28px 28px 12px">${title}${body}</td></tr>
<tr><td class="e-footer" style="${emailStyles.footer}">${footer}</td></tr>
</table>
</td></tr></table>
</body>
</html>`.toString();
}

/**
 * The logo beside the name, and the market below it: the same files for everyone, so they count no one. Made by
 * `npm run generate:images`, as PNG, because Gmail and Outlook show no SVG. The dark scheme has a picture of its own in Apple
 * Mail; Gmail and Outlook drop `picture` and `source`.
 */
function picturesOf(origin: string): { logo: HtmlEscapedString; strip: HtmlEscapedString } {
  const folder = `${origin}/email`;
  return {
    logo: html`<img src="${folder}/logo.png" width="36" height="36" alt="" style="${emailStyles.logo}">\u00a0 `,
    strip: html`<tr><td style="padding:0"><picture><source srcset="${folder}/market-dark.png" media="${DARK}"><img src="${folder}/market-light.png" width="${CARD_WIDTH}" height="${STRIP_HEIGHT}" alt="" style="${emailStyles.strip}"></picture></td></tr>
`,
  };
}
