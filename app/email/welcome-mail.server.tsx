import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Mail } from "#app/email/mailer.server.ts";
import { site } from "#app/site.ts";

/** What every mail says about the site and its owner. */
export interface MailFacts {
  /** Canonical origin, for links. */
  siteUrl: string;
  /** Where an answer to the mail goes. */
  replyTo: string;
}

const paragraphs = {
  greeting: "Hello, and thank you.",
  joined: `You are on the ${site.name} waitlist, as one of the Pioneers: the hosts and makers who see it first and have a say in what it becomes.`,
  next: `We are building a place where event hosts and craft stallholders find each other by date, by distance and by what each of them needs. The first version opens ${site.launch}. When your turn comes, we write to this address; until then you hear from us only when there is something worth your time.`,
  ask: "One thing would help us now: reply to this mail and tell us the part of running a stall, or of finding one for your event, that costs you the most patience. The owner reads every answer.",
  why: "You get this mail because this address was entered on our site. If that was not you, reply with one word and we take it off the list.",
} as const;

/** The mail that greets somebody who has just joined. */
export function welcomeMail(to: string, { siteUrl, replyTo }: MailFacts): Mail {
  return {
    to,
    replyTo,
    subject: `You are on the ${site.name} waitlist`,
    text: textBody(siteUrl),
    html: `<!doctype html>${renderToStaticMarkup(<HtmlBody siteUrl={siteUrl} />)}`,
    // RFC 3834: tells holiday responders not to answer.
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

function textBody(siteUrl: string): string {
  const { greeting, joined, next, ask, why } = paragraphs;
  return [greeting, joined, next, ask, `${site.name}\n${siteUrl}`, `--\n${why}\n${siteUrl}/privacy`].join("\n\n");
}

/** Mail programs read tables and inline styles; colours are those of the site by day. */
function HtmlBody({ siteUrl }: { siteUrl: string }) {
  const { greeting, joined, next, ask, why } = paragraphs;
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{`You are on the ${site.name} waitlist`}</title>
      </head>
      <body style={{ margin: 0, backgroundColor: "#FBF6EC", color: "#23302B" }}>
        <table role="presentation" width="100%" cellPadding={0} cellSpacing={0}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: "32px 16px" }}>
                <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={card}>
                  <tbody>
                    <tr>
                      <td
                        style={{ backgroundColor: "#1F6F5C", borderBottom: "6px solid #E9A23B", padding: "20px 28px" }}
                      >
                        <a href={siteUrl} style={brand}>
                          {site.name}
                        </a>
                      </td>
                    </tr>
                    <tr>
                      <td style={{ padding: "28px 28px 12px" }}>
                        <h1 style={{ font: "bold 26px/1.25 Georgia, serif", margin: "0 0 16px" }}>{greeting}</h1>
                        <Paragraph>{joined}</Paragraph>
                        <Paragraph>{next}</Paragraph>
                        <Paragraph>{ask}</Paragraph>
                      </td>
                    </tr>
                    <tr>
                      <td style={{ borderTop: "1px solid #E4D9C3", padding: "16px 28px 24px" }}>
                        <Paragraph small>{why}</Paragraph>
                        <Paragraph small>
                          <a href={`${siteUrl}/privacy`} style={{ color: "#1F6F5C" }}>
                            How we look after your address
                          </a>
                        </Paragraph>
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

function Paragraph({ children, small = false }: { children: ReactNode; small?: boolean }) {
  const font = `${small ? "14px/1.5" : "17px/1.6"} -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif`;
  return <p style={{ font, margin: "0 0 16px" }}>{children}</p>;
}

const card = {
  maxWidth: 560,
  backgroundColor: "#FFFFFF",
  border: "1px solid #E4D9C3",
  borderRadius: 12,
  overflow: "hidden",
};

const brand = { color: "#FFFFFF", font: "bold 22px Georgia, serif", textDecoration: "none" };
