import type { OwnerView } from "#app/owner/document.server.tsx";
import { site } from "#app/site.ts";

/** The response to every request without a session. */
export function signInView(): OwnerView {
  return {
    title: "For the owner",
    body: (
      <main id="main" className="prose owner-door">
        <h1>For the owner</h1>
        <p className="lead">
          These pages are for whoever runs {site.name}. Enter the address they are set up with, and a link to sign in is
          mailed to it.
        </p>
        <form className="owner-form" method="post" action="/owner/sign-in">
          <label htmlFor="email">The owner's e-mail address</label>
          <input id="email" name="email" type="email" autoComplete="email" required maxLength={254} />
          <button className="button" type="submit">
            Mail me a link
          </button>
        </form>
      </main>
    ),
  };
}

/** The response to every submitted address. */
export function linkRequestedView(): OwnerView {
  return {
    title: "Look into your mail",
    body: (
      <main id="main" className="prose owner-door">
        <h1>Look into your mail</h1>
        <p className="lead">If that was the owner's address, a link is on its way to it.</p>
        <p>
          It works once, within 15 minutes. Another one is mailed after five minutes at the earliest, so if you asked a
          moment ago, look for the mail before this one.
        </p>
      </main>
    ),
  };
}

/** The page behind the emailed link. Its form posts to the same URL. */
export function linkView(): OwnerView {
  return {
    title: "Sign in",
    body: (
      <main id="main" className="prose owner-door">
        <h1>Welcome back</h1>
        <p className="lead">This signs you in on this device for 12 hours.</p>
        <form method="post">
          <button className="button" type="submit">
            Sign in
          </button>
        </form>
      </main>
    ),
  };
}
