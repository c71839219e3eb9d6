import { ButtonLink } from "#app/owner/ui/actions.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Advanced, Page } from "#app/owner/ui/page.server.tsx";

/** The 404 page. It is shown only with a session; every other request gets the sign-in page. */
export function notFoundView() {
  return (
    <Page title="Page not found" section="other" className="prose">
      <p className="lead">This page does not exist, or the entry has been erased.</p>
      <ButtonLink label="Back to the overview" href="/owner" />
    </Page>
  );
}

/** The response to a form that no page has. */
export function badRequest(c: OwnerContext) {
  c.status(400);
  return c.render(notFoundView());
}

/** @param message with the time when D1 accepts queries again */
export function quotaView(message: string) {
  return (
    <Page title="The daily quota is used up" className="prose">
      <p className="lead">{message}</p>
      <p>No one can join until then.</p>
      <Advanced>
        D1 refuses queries, because your Cloudflare account has used up the rows that a day on the free plan includes.
        The Workers Paid plan has no daily quota; set WORKERS_PLAN=paid once you have changed to it.
      </Advanced>
      <ButtonLink label="Try again" href="/owner" />
    </Page>
  );
}

export function errorView(reference: string) {
  return (
    <Page title="Something went wrong" className="prose">
      <p className="lead">
        This page could not be loaded, probably because the database did not respond. Please try again in a moment.
      </p>
      <p>
        Reference in the log: <strong>{reference}</strong>
      </p>
      <ButtonLink label="Try again" href="/owner" />
    </Page>
  );
}
