import { MailHeading, MailParagraph, mailHtml } from "#app/email/mail-layout.server.tsx";
import { site } from "#app/site.ts";

interface CeilingFacts {
  siteUrl: string;
  /** Mails that the site may send within an hour. */
  perHour: number;
  /** Mails that wait. */
  held: number;
}

/** The mail that tells the owner that others wait. It names no visitor. */
export function ceilingLetter({ siteUrl, perHour, held }: CeilingFacts) {
  const title = `${site.name}: mail is waiting`;
  const paragraphs = [
    `The site has sent ${perHour} mails within an hour, which is its ceiling. Waiting for their turn: ${held}.`,
    "Nothing is lost: they go out by themselves as the hour moves on, oldest first.",
    "If many people are joining because of something you did, raise MAIL_PER_HOUR. If you cannot think of a reason, somebody may be entering addresses that are not theirs; the table blocked_attempts counts what was turned away.",
    "This mail comes once an hour at most.",
  ];
  return {
    subject: title,
    text: [...paragraphs, `${site.name}\n${siteUrl}`].join("\n\n"),
    html: mailHtml({
      title,
      siteUrl,
      children: (
        <>
          <MailHeading>Mail is waiting</MailHeading>
          {paragraphs.map((paragraph) => (
            <MailParagraph key={paragraph}>{paragraph}</MailParagraph>
          ))}
        </>
      ),
      footer: <MailParagraph small>Sent to OWNER_EMAIL.</MailParagraph>,
    }),
  };
}
