import { type ReactNode, use } from "react";
import { isRouteErrorResponse, Link } from "react-router";
import { FAILURE_META, FailureReference } from "#app/frame/failure.ts";
import { EmptyPitch } from "#app/pictures/empty-pitch.tsx";
import { site } from "#app/site.ts";
import "#app/frame/error-page.css";

/** What a visitor sees in place of a page that could not be made. */
export function ErrorPage({ error }: { error: unknown }) {
  if (!isRouteErrorResponse(error) || error.status >= 500) return <FailurePage />;
  return error.status === 404 ? <NotFoundPage /> : <RefusedPage />;
}

export function NotFoundPage() {
  return (
    <Notice title="Page not found" heading="This pitch is empty">
      <p className="lead">
        There is no page at this address. It may have moved, or the link may have lost a letter on its way to you.
      </p>
    </Notice>
  );
}

function RefusedPage() {
  return (
    <Notice title="That did not work" heading="Not at this stall">
      <p className="lead">This page cannot take what your browser sent it. Open it once more and try again.</p>
    </Notice>
  );
}

function FailurePage() {
  const reference = use(FailureReference);
  return (
    <Notice title="Something went wrong" heading="A gust took the awning">
      <p className="lead">
        Something went wrong on our side, and it has been written down for us. Please try again in a moment.
      </p>
      {reference === null ? null : (
        <p>
          <meta name={FAILURE_META} content={reference} />
          If you write to us about it, this reference helps us find it: <strong>{reference}</strong>
        </p>
      )}
    </Notice>
  );
}

function Notice({ title, heading, children }: { title: string; heading: string; children: ReactNode }) {
  return (
    <main id="main" className="prose error-page">
      <title>{`${title} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <EmptyPitch />
      <h1>{heading}</h1>
      {children}
      <Link className="button" to="/" viewTransition>
        Back to the market
      </Link>
    </main>
  );
}
