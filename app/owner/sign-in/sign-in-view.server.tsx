import { Button, ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { addressField, Field } from "#app/owner/ui/field.server.tsx";
import { Advanced, Page } from "#app/owner/ui/page.server.tsx";
import { site } from "#app/site.ts";

/** The response to every request without a session. */
export function signInView() {
  return (
    <Page title="Owner sign-in" className="prose">
      <p className="lead">
        These pages are for the people who run {site.name}. Enter your address; if it is one of theirs, we’ll email you
        a sign-in link.
      </p>
      <form className="form form-row" method="post" action="/owner/sign-in">
        <Field name="email" label="Your email address" {...addressField} autoComplete="email" required />
        <Button label="Email me a link" />
      </form>
      <p>
        If you were signed in a moment ago, your session has ended. Anything you sent since then, such as a file, was
        not saved.
      </p>
    </Page>
  );
}

/** The response to every submitted address. */
export function linkRequestedView() {
  return (
    <Page title="Check your email" className="prose">
      <p className="lead">If that is an owner’s address, a sign-in link is on its way.</p>
      <p>
        The link works once, within 15 minutes. We send you at most one every five minutes, so if you asked for a link a
        moment ago, look for that email. After ten links in a day that no one used, we send one an hour; a browser in
        which you have signed in before is not affected by what others ask for.
      </p>
      <Advanced>
        the command <code>npm run owner -- sign-in</code> always prints one.
      </Advanced>
    </Page>
  );
}

export function linkView() {
  return (
    <Page title="Sign in" heading="Welcome back" className="prose">
      <p className="lead">
        You’ll stay signed in on this device for up to 12 hours, as long as you open a page every two hours.
      </p>
      <ButtonForm label="Sign in" kind="main" />
    </Page>
  );
}
