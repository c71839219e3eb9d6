import { use } from "react";
import { isRouteErrorResponse, Link } from "react-router";
import { FAILURE_META, FailureReference } from "#app/frame/failure.ts";
import { EmptyPitch } from "#app/pictures/empty-pitch.tsx";
import { site } from "#app/site.ts";
import "#app/frame/error-page.css";

/** What a visitor sees in place of a page: nothing stands at this address, or something went wrong on our side. */
export function ErrorPage({ error }: { error: unknown }) {
  const missing = isRouteErrorResponse(error) && error.status < 500;
  return (
    <main id="main" className="prose error-page">
      <title>{`${missing ? "Page not found" : "Something went wrong"} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <EmptyPitch />
      {missing ? <NotFound /> : <Failure />}
      <Link className="button" to="/" viewTransition>
        Back to the market
      </Link>
    </main>
  );
}

function NotFound() {
  return (
    <>
      <h1>This pitch is empty</h1>
      <p className="lead">
        There is no page at this address. It may have moved, or the link may have lost a letter on its way to you.
      </p>
    </>
  );
}

function Failure() {
  const reference = use(FailureReference);
  return (
    <>
      <h1>A gust took the awning</h1>
      <p className="lead">
        Something went wrong on our side, and it has been written down for us. Please try again in a moment.
      </p>
      {reference === null ? null : (
        <p>
          <meta name={FAILURE_META} content={reference} />
          If you write to us about it, this reference helps us find it: <strong>{reference}</strong>
        </p>
      )}
    </>
  );
}
