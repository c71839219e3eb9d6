import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { darkStyles } from "#app/email/templates/email-styles.server.ts";
import { site } from "#app/site.ts";
import { colour } from "#app/ui/theme.ts";

interface EmailLayoutProps {
  title: string;
  /** Where the name at the top leads; null for no link. */
  siteUrl: string | null;
  /** Small print: why the recipient gets this email, and how to stop it. */
  footer: ReactNode;
  children: ReactNode;
  /** What inboxes show after the subject, instead of the beginning of the text. */
  previewLine?: string;
}

/** An email's HTML. Tables and style attributes are for email clients; `email-styles.server.ts` has the dark scheme. */
export function emailHtml({ title, siteUrl, footer, children, previewLine = "" }: EmailLayoutProps): string {
  const html = (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{darkStyles}</style>
      </head>
      <body className="e-page" style={{ margin: 0, backgroundColor: colour("paper"), color: colour("ink") }}>
        {previewLine === "" ? null : (
          <div style={{ display: "none", maxHeight: 0, overflow: "hidden" }}>{previewLine}</div>
        )}
        <table role="presentation" width="100%" cellPadding={0} cellSpacing={0}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: "32px 16px" }}>
                <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} className="e-card" style={card}>
                  <tbody>
                    <tr>
                      <td className="e-bar" style={awning}>
                        {siteUrl === null ? (
                          <span className="e-brand" style={brand}>
                            {site.name}
                          </span>
                        ) : (
                          <a href={siteUrl} className="e-brand" style={brand}>
                            {site.name}
                          </a>
                        )}
                      </td>
                    </tr>
                    <tr>
                      <td style={{ padding: "28px 28px 12px" }}>{children}</td>
                    </tr>
                    <tr>
                      <td className="e-rule" style={{ borderTop: rule, padding: "16px 28px 24px" }}>
                        {footer}
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
  return `<!doctype html>${renderToStaticMarkup(html)}`;
}

export function EmailHeading({ children, level = 1 }: { children: ReactNode; level?: 1 | 2 | 3 }) {
  const Heading = `h${level}` as const;
  const size = { 1: "26px/1.25", 2: "21px/1.3", 3: "18px/1.35" }[level];
  return <Heading style={{ font: `bold ${size} Georgia, serif`, margin: "0 0 16px" }}>{children}</Heading>;
}

export function EmailParagraph({ children, small = false }: { children: ReactNode; small?: boolean }) {
  return <p style={{ font: small ? smallFont : bodyFont, margin: "0 0 16px" }}>{children}</p>;
}

export function EmailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="e-link" style={{ color: colour("primary") }}>
      {children}
    </a>
  );
}

/** A link that looks like a button. Email scanners open links, so it must lead to a page and change nothing. */
export function EmailButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p style={{ margin: "0 0 24px" }}>
      <a href={href} className="e-button" style={button}>
        {children}
      </a>
    </p>
  );
}

const sans = '-apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const smallFont = `14px/1.5 ${sans}`;
export const bodyFont = `17px/1.6 ${sans}`;

const rule = `1px solid ${colour("border")}`;

const card = {
  maxWidth: 560,
  backgroundColor: colour("emailPaper"),
  border: rule,
  borderRadius: 12,
  overflow: "hidden",
};

const awning = {
  backgroundColor: colour("bar"),
  borderBottom: `6px solid ${colour("secondary")}`,
  padding: "20px 28px",
};

const brand = { color: colour("barInk"), font: "bold 22px Georgia, serif", textDecoration: "none" };

const button = {
  display: "inline-block",
  padding: "12px 22px",
  borderRadius: 8,
  backgroundColor: colour("button"),
  color: colour("buttonText"),
  font: `bold 16px ${sans}`,
  textDecoration: "none",
};
