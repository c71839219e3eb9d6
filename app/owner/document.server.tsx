import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import styles from "#app/owner/styles/owner.css?url";
import { site } from "#app/site.ts";
import fraunces from "#app/ui/fonts/fraunces.woff2";
import { Logo } from "#app/ui/illustrations/logo.tsx";

/** A page of the owner's. */
export interface OwnerView {
  title: string;
  /** Which of the owner's pages it is; absent for whoever is not signed in, who is shown none of them. */
  place?: "overview" | "entries" | "elsewhere";
  body: ReactNode;
}

const places = [
  { href: "/owner", name: "Overview", place: "overview" },
  { href: "/owner/entries", name: "Entries", place: "entries" },
] as const;

/** The whole document: HTML and one stylesheet, no script. It is not part of the React app that visitors download. */
export function page({ title, place, body }: OwnerView): string {
  const html = (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#1f6f5c" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1524" media="(prefers-color-scheme: dark)" />
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
          <a className="bar-home" href={place === undefined ? "/" : "/owner"} aria-label={site.name}>
            <Logo />
            <span className="bar-name">{site.name}</span>
          </a>
          {place === undefined ? null : <Places current={place} />}
        </header>
        {body}
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(html)}`;
}

function Places({ current }: { current: OwnerView["place"] }) {
  return (
    <>
      <nav className="owner-places" aria-label="Owner">
        <ul>
          {places.map(({ href, name, place }) => (
            <li key={href}>
              <a href={href} aria-current={place === current ? "page" : undefined}>
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
