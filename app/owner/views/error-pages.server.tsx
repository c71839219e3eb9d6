import type { OwnerView } from "#app/owner/document.server.tsx";

/** Nothing at this address, for whoever is signed in. */
export function nothingHereView(): OwnerView {
  return {
    title: "Nothing here",
    place: "elsewhere",
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

/** @param reference finds the line in the log */
export function failureView(reference: string): OwnerView {
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
