import type { OwnerView } from "#app/owner/document.server.tsx";

/** The 404 page. It is shown only with a session; every other request gets the sign-in page. */
export function notFoundView(): OwnerView {
  return {
    title: "Nothing here",
    section: "other",
    body: (
      <main id="main" className="prose">
        <h1>Nothing here</h1>
        <p className="lead">There is no such page, or the entry has been erased.</p>
        <a className="button" href="/owner">
          To the overview
        </a>
      </main>
    ),
  };
}

/** @param reference identifies the line in the log */
export function errorView(reference: string): OwnerView {
  return {
    title: "Something went wrong",
    body: (
      <main id="main" className="prose">
        <h1>That did not work</h1>
        <p className="lead">
          The database or the store of sessions did not answer. Nothing is lost; please try again in a moment.
        </p>
        <p>
          The line in the log has this reference: <strong>{reference}</strong>
        </p>
        <a className="button" href="/owner">
          Try again
        </a>
      </main>
    ),
  };
}
