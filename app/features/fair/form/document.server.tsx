import type { ComponentProps } from "react";
import type { Config } from "#app/server/config/config.server.ts";
import { type Question, site } from "#app/site.ts";
import { drawing } from "#app/switches.ts";
import fraunces from "#app/ui/fonts/fraunces.woff2";
import { Bunting } from "#app/ui/illustrations/bunting.tsx";
import { Logo } from "#app/ui/illustrations/logo.tsx";
import { MarketScene } from "#app/ui/illustrations/market-scene.tsx";
import { SharedParts } from "#app/ui/illustrations/shared-parts.tsx";
import { SiteName } from "#app/ui/site-name.tsx";
import { colour } from "#app/ui/theme.ts";
import { MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";
import type { ConsentWording } from "#app/waitlist/sign-up/consent-wording.ts";
import { NO_EMAIL_NOTE } from "#app/waitlist/sign-up/messages.ts";
import styles from "./fair.css?url";

/** What the document loads that the build names. */
export const assets = [styles, fraunces];

type DocumentProps = { config: Pick<Config, "SITE_URL" | "CONTACT_EMAIL" | "CONTROLLER_NAME"> };

/**
 * The form's page in all its states. No link leads away from it.
 *
 * @param version by which its script notices that another one took over before it ran
 */
export function FairDocument({
  config,
  wording,
  version,
}: DocumentProps & { wording: ConsentWording; version: string }) {
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
          <View id="thanks" title="Thank you">
            <p id="thanks-email" className="lead">
              Please look out for our email. We’ll send it once this tablet is online.
            </p>
            <p id="thanks-no-email" className="lead" hidden>
              {NO_EMAIL_NOTE}
            </p>
            <div className="fair-countdown" aria-hidden="true" />
            <button className="button" type="button">
              Done
            </button>
          </View>
          {/* At the site itself, people can join, or use the product once it has launched. */}
          <View id="ended" title="Sign-up here has closed">
            <p className="lead">
              Thank you for stopping by. You’ll find us at <strong>{host}</strong>
            </p>
          </View>
        </main>
        {drawing ? (
          <div className="fair-market">
            <SharedParts />
            <MarketScene />
          </div>
        ) : null}
        {/* For the people at the stall. Not a live region: it changes while others type. */}
        <footer className="fair-staff">
          <p id="backlog" hidden />
          <p id="full-warning" className="fair-warning" hidden />
          <p id="device-warning" className="fair-warning" hidden />
          <p id="arming-warning" className="fair-warning" hidden />
          <p id="refused-warning" className="fair-warning" hidden />
          <p id="offline-warning" className="fair-warning" hidden />
          <p id="persistence-warning" hidden />
        </footer>
        <Privacy host={host} config={config} />
      </body>
    </html>
  );
}

function Privacy({ host, config: { CONTACT_EMAIL, CONTROLLER_NAME } }: DocumentProps & { host: string }) {
  return (
    <dialog id="privacy" className="fair-privacy" aria-labelledby="privacy-heading">
      <h2 id="privacy-heading">Your data</h2>
      <p>
        We keep your email address, your answers, and where and when you signed up, so that we can tell you about{" "}
        {site.name}. This tablet encrypts them straight away, and deletes them once they’re sent.
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

/* The views of the form. `browser/views.ts` shows one of them; the script fills in the event. */

/** Until the tablet has scanned a code. */
function SetUp() {
  return (
    <View id="set-up" title="Set up this tablet">
      <p className="lead">
        On another device, open the owner’s page “At the fair” and make a code. Then scan it with this tablet’s camera.
      </p>
      <p id="set-up-waiting" role="status" hidden>
        This tablet has the code. It needs a connection to finish setting up, and keeps trying.
      </p>
      <p id="set-up-problem" className="fair-problem" role="alert" hidden />
    </View>
  );
}

/** @param wording what people agree to; the tablet stores its version with each sign-up */
function Entry({ wording }: { wording: ConsentWording }) {
  return (
    <View id="entry" title={`Join the ${site.name} waitlist`} className="fair-entry">
      <div className="fair-invitation">
        <p className="fair-event">
          <span data-event="" />
        </p>
        <h1 id="entry-heading" tabIndex={-1}>
          Join the <SiteName /> waitlist
        </h1>
        <p className="lead">{site.description}</p>
      </div>
      <form id="form" className="fair-form card" noValidate autoComplete="off" data-consent={wording.version}>
        <div className="fair-field">
          <label htmlFor="email">Your email address</label>
          <input
            id="email"
            className="field"
            type="text"
            inputMode="email"
            enterKeyHint="send"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            aria-describedby="problem promise"
            aria-required="true"
          />
        </div>
        <p id="problem" className="fair-problem" role="alert" hidden />
        <section id="suggestion" className="fair-suggestion" aria-labelledby="question" hidden>
          <p id="question">
            Did you mean <strong id="suggested" />?
          </p>
          <button id="use-suggestion" className="button" type="button">
            Yes, use that
          </button>
          <button id="keep-typed" className="button button-quiet" type="button">
            <span>
              No, <span id="typed" /> is right
            </span>
          </button>
        </section>
        {askedQuestions().map((question) => (
          <QuestionField key={question.key} question={question} />
        ))}
        <p id="promise" className="fair-promise">
          {wording.text}
        </p>
        <div className="fair-buttons">
          <button className="button" type="submit">
            Join Waitlist
          </button>
          <button id="open-privacy" className="button button-quiet" type="button">
            Your data
          </button>
        </div>
      </form>
    </View>
  );
}

function QuestionField({ question: { key, wording, answers } }: { question: Question }) {
  if (answers === undefined) {
    return (
      <div className="fair-field">
        <label htmlFor={`answer-${key}`}>
          {wording} {optional}
        </label>
        <input
          type="text"
          id={`answer-${key}`}
          className="field"
          name={key}
          maxLength={MAX_ANSWER_LENGTH}
          autoComplete="off"
        />
      </div>
    );
  }
  return (
    <fieldset className="fair-question">
      <legend>
        {wording} {optional}
      </legend>
      <div className="fair-choices">
        {Object.entries(answers).map(([answer, words]) => (
          <label key={answer}>
            <input type="radio" name={key} value={answer} />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const optional = <span className="fair-optional">(optional)</span>;

/** @param props.className - default: a text in the middle of the screen, below its title */
function View({ id, title, className, children }: ComponentProps<"section"> & { id: string; title: string }) {
  return (
    <section id={id} className={className ?? "fair-message"} aria-labelledby={`${id}-heading`} hidden>
      {className === undefined ? (
        <h1 id={`${id}-heading`} tabIndex={-1}>
          {title}
        </h1>
      ) : null}
      {children}
    </section>
  );
}
