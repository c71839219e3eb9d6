import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { site } from "#app/site.ts";

/** The response to every request without a session. */
export function signInView(): OwnerView {
  return {
    title: "Owner sign-in",
    body: (
      <main id="main" className="prose owner-door">
        <h1>Owner sign-in</h1>
        <p className="lead">
          These pages are for the people who run {site.name}. Enter your address; if it is one of theirs, we’ll email
          you a sign-in link.
        </p>
        <form className="owner-form" method="post" action="/owner/sign-in">
          <label htmlFor="email">Your email address</label>
          <input id="email" name="email" type="email" autoComplete="email" required maxLength={254} />
          <button className="button" type="submit">
            Email me a link
          </button>
        </form>
        <p>
          If you were signed in a moment ago, your session has ended. Anything you sent since then, such as a file, was
          not saved.
        </p>
      </main>
    ),
  };
}

/** The response to every submitted address. */
export function linkRequestedView(): OwnerView {
  return {
    title: "Check your email",
    body: (
      <main id="main" className="prose owner-door">
        <h1>Check your email</h1>
        <p className="lead">If that is an owner’s address, a sign-in link is on its way.</p>
        <p>
          The link works once, within 15 minutes. We send you at most one every five minutes, so if you asked for a link
          a moment ago, look for that email. After ten links that no one used, we send no more that day; the command{" "}
          <code>npm run owner -- sign-in</code> still prints one.
        </p>
      </main>
    ),
  };
}

/** The page behind a sign-in link. Its form posts to the same URL. */
export function linkView(): OwnerView {
  return {
    title: "Sign in",
    body: (
      <main id="main" className="prose owner-door">
        <h1>Welcome back</h1>
        <p className="lead">
          You’ll stay signed in on this device for up to 12 hours, as long as you open a page every two hours.
        </p>
        <form method="post">
          <button className="button" type="submit">
            Sign in
          </button>
        </form>
      </main>
    ),
  };
}
