import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import styles from "#app/owner/ui/owner.css?url";
import { site } from "#app/site.ts";
import fraunces from "#app/ui/fonts/fraunces.woff2";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { colour } from "#app/ui/theme.ts";

export interface OwnerView {
  title: string;
  /** The section to mark in the navigation; absent without a session, which hides the navigation. */
  section?: "overview" | "entries" | "letters" | "import" | "links" | "log" | "other";
  body: ReactNode;
}

const sections = [
  { href: "/owner", name: "Overview", section: "overview" },
  { href: "/owner/entries", name: "Entries", section: "entries" },
  { href: "/owner/letters", name: "Letters", section: "letters" },
  { href: "/owner/import", name: "Import", section: "import" },
  { href: "/owner/links", name: "Links", section: "links" },
  { href: "/owner/log", name: "Log", section: "log" },
] as const;

/** Renders a complete HTML document with one stylesheet and no script, outside the visitors' React app. */
export function renderDocument({ title, section, body }: OwnerView): string {
  const html = (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={colour("bar")} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={colour("bar", "dark")} media="(prefers-color-scheme: dark)" />
        <meta name="robots" content="noindex" />
        <title>{`${title} | ${site.name}`}</title>
        <link rel="preload" href={fraunces} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={styles} />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body>
        <a className="skip-link button" href="#main">
          Skip to the content
        </a>
        <header className="bar">
          <a className="bar-home" href={section === undefined ? "/" : "/owner"} aria-label={site.name}>
            <Logo />
            <span className="bar-name">{site.name}</span>
          </a>
          {section === undefined ? null : <Navigation current={section} />}
        </header>
        {body}
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(html)}`;
}

function Navigation({ current }: { current: OwnerView["section"] }) {
  return (
    <>
      <nav className="owner-places" aria-label="Owner">
        <ul>
          {sections.map(({ href, name, section }) => (
            <li key={href}>
              <a href={href} aria-current={section === current ? "page" : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form method="post" action="/owner/sign-out">
        <button className="button owner-sign-out" type="submit">
          Sign out
        </button>
      </form>
    </>
  );
}
