import { Ended, Entry, SetUp, Thanks } from "#app/features/fair/form/views.server.tsx";
import type { Config } from "#app/server/config/config.server.ts";
import { site } from "#app/site.ts";
import { drawing } from "#app/switches.ts";
import fraunces from "#app/ui/fonts/fraunces.woff2";
import { Bunting } from "#app/ui/illustrations/bunting.tsx";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { MarketScene } from "#app/ui/illustrations/market-scene.tsx";
import { SharedParts } from "#app/ui/illustrations/shared-parts.tsx";
import { colour } from "#app/ui/theme.ts";
import type { Wording } from "#app/waitlist/sign-up/consent-wording.ts";
import styles from "./fair.css?url";

/** What the document loads that the build names. */
export const assets = [styles, fraunces];

interface DocumentProps {
  config: Pick<Config, "SITE_URL" | "CONTACT_EMAIL" | "CONTROLLER_NAME">;
}

/**
 * The form's page in all its states. No link leads away from it.
 *
 * @param version by which its script notices that another one took over before it ran
 */
export function FairDocument({ config, wording, version }: DocumentProps & { wording: Wording; version: string }) {
  const { host } = new URL(config.SITE_URL);
  return (
    <html lang="en-GB" data-version={version}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={colour("bar")} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={colour("bar", "dark")} media="(prefers-color-scheme: dark)" />
        <meta name="robots" content="noindex" />
        <meta name="apple-mobile-web-app-title" content={site.name} />
        <title>{`At the fair | ${site.name}`}</title>
        <link rel="manifest" href="/fair/manifest.webmanifest" />
        <link rel="preload" href={fraunces} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={styles} />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <script src="/fair/form.js" defer />
      </head>
      <body className="fair">
        <header className="fair-bar">
          <Logo />
          <span translate="no">{site.name}</span>
        </header>
        <Bunting />
        <main id="main">
          <noscript>
            <section className="fair-message">
              <h1>This form needs JavaScript</h1>
              <p className="lead">Switch JavaScript on in the browser’s settings, then open this page again.</p>
            </section>
          </noscript>
          <SetUp />
          <Entry wording={wording} />
          <Thanks />
          <Ended host={host} />
        </main>
        {drawing ? (
          <div className="fair-market">
            <SharedParts />
            <MarketScene />
          </div>
        ) : null}
        <StaffLine />
        <Privacy host={host} config={config} />
      </body>
    </html>
  );
}

/** For the people at the stall. Not a live region: it changes while others type. */
function StaffLine() {
  return (
    <footer className="fair-staff">
      <p id="backlog" hidden />
      <p id="full-warning" className="fair-warning" hidden />
      <p id="device-warning" className="fair-warning" hidden />
      <p id="arming-warning" className="fair-warning" hidden />
      <p id="refused-warning" className="fair-warning" hidden />
      <p id="offline-warning" className="fair-warning" hidden />
      <p id="persistence-warning" hidden />
    </footer>
  );
}

function Privacy({ host, config: { CONTACT_EMAIL, CONTROLLER_NAME } }: DocumentProps & { host: string }) {
  return (
    <dialog id="privacy" className="fair-privacy" aria-labelledby="privacy-heading">
      <h2 id="privacy-heading">Your data</h2>
      <p>
        We keep your email address, your answers, and where and when you signed up, so that we can tell you about{" "}
        {site.name}. This tablet encrypts them straight away, and deletes them once they are sent.
      </p>
      <p>With the links in our emails, you can unsubscribe, and see or erase your entry, at any time.</p>
      <p>
        {CONTROLLER_NAME} is responsible for your data: {CONTACT_EMAIL}. Our privacy policy is at{" "}
        <strong>{host}/privacy</strong>
      </p>
      <form method="dialog">
        <button className="button" type="submit">
          Back to the form
        </button>
      </form>
    </dialog>
  );
}
