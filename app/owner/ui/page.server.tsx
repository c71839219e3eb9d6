import { createContext, type ReactNode, useContext } from "react";
import { GroupLinks, Navigation, Sections } from "#app/owner/ui/navigation.server.tsx";
import styles from "#app/owner/ui/owner.css?url";
import { site } from "#app/site.ts";
import fraunces from "#app/ui/fonts/fraunces.woff2";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { colour } from "#app/ui/theme.ts";

interface PageProps {
  title: string;
  /** The section to mark in the navigation, if it is there; absent without a session, which hides the navigation. */
  section?: string;
  /** Default: the title. Null if the content begins with a heading of its own. */
  heading?: ReactNode;
  back?: { href: string; name: string };
  aside?: ReactNode;
  /** Styles and a script of this page alone. */
  head?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A complete HTML document, without scripts but those of `head`, outside the visitors' React app. */
export function Page({
  title,
  section,
  heading = title,
  back,
  aside,
  head,
  className = "page owner",
  children,
}: PageProps) {
  const own = useContext(Sections).find((one) => one.section === section);
  return (
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
        {own?.styles === undefined ? null : <link rel="stylesheet" href={own.styles} />}
        {head}
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
        <main id="main" className={className}>
          {back === undefined ? <GroupLinks current={section} /> : null}
          {back && (
            <p className="back">
              <a className="quiet-link" href={back.href}>
                {back.name}
              </a>
            </p>
          )}
          {heading === null ? null : (
            <div className="row head">
              <h1>{heading}</h1>
              {aside}
            </div>
          )}
          {children}
        </main>
      </body>
    </html>
  );
}

interface SectionProps {
  id: string;
  title: string;
  className?: string;
  children: ReactNode;
}

export function Section({ id, title, className, children }: SectionProps) {
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** What only those who run the site need: names of settings, commands and plans. Nothing without it. */
export function Advanced({ children }: { children: ReactNode }) {
  if (children === null || children === undefined) return null;
  return <p className="hint advanced">Advanced: {children}</p>;
}

/** A text, line by line; those that begin with `Advanced:` are small print, as in {@link Advanced}. */
export function Lines({ text }: { text: string }) {
  return text
    .split("\n")
    .map((line) =>
      line.startsWith(ADVANCED) ? (
        <Advanced key={line}>{line.slice(ADVANCED.length)}</Advanced>
      ) : (
        <p key={line}>{line}</p>
      ),
    );
}

const ADVANCED = "Advanced: ";

interface MessageProps {
  kind?: "info" | "success" | "error";
  role?: "alert" | undefined;
  children: ReactNode;
}

export function Message({ kind = "info", role, children }: MessageProps) {
  if (children === null || children === undefined) return null;
  return (
    <div className={`message message-${kind}`} role={kind === "success" ? "status" : role}>
      {typeof children === "string" && children.includes("\n") ? <Lines text={children} /> : children}
    </div>
  );
}

/** The outcome of the change that led here, in a sentence; null if there was none. */
export const Done = createContext<string | null>(null);

export function Outcome() {
  return <Message kind="success">{useContext(Done)}</Message>;
}

export function Problems({ problems }: { problems: string[] }) {
  if (problems.length === 0) return null;
  return (
    <Message kind="error" role="alert">
      {problems.map((problem) => (
        <Lines key={problem} text={problem} />
      ))}
    </Message>
  );
}
