import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

/** The 404 page. It is shown only with a session; every other request gets the sign-in page. */
export function notFoundView(): OwnerView {
  return {
    title: "Page not found",
    section: "other",
    body: (
      <main id="main" className="prose">
        <h1>Page not found</h1>
        <p className="lead">This page does not exist, or the entry has been erased.</p>
        <a className="button" href="/owner">
          Back to the overview
        </a>
      </main>
    ),
  };
}

/** The response to a form that no page has. */
export function badRequest(c: OwnerContext) {
  c.status(400);
  return c.render(notFoundView());
}

/** @param reference identifies the line in the log */
export function errorView(reference: string): OwnerView {
  return {
    title: "Something went wrong",
    body: (
      <main id="main" className="prose">
        <h1>Something went wrong</h1>
        <p className="lead">
          This page could not be loaded, probably because the database did not respond. Please try again in a moment.
        </p>
        <p>
          Reference in the log: <strong>{reference}</strong>
        </p>
        <a className="button" href="/owner">
          Try again
        </a>
      </main>
    ),
  };
}
