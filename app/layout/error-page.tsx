import type { ReactNode } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { useFailureText } from "#app/layout/failure-text.ts";
import { site } from "#app/site.ts";
import { EmptyPitch } from "#app/ui/illustrations/empty-pitch.tsx";
import { PageLink } from "#app/ui/page-link.tsx";
import { useLastReply } from "#app/waitlist/sign-up/last-reply.ts";

/** Replaces a page that failed, was not found or rejected a form. */
export function ErrorPage({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return status === 404 ? <NotFoundPage /> : <FailurePage status={status} />;
}

export function NotFoundPage() {
  return (
    <ErrorLayout title="Page not found" heading="This pitch is empty">
      <p className="lead">There is no page at this address. It may have moved, or the link may be incomplete.</p>
    </ErrorLayout>
  );
}

/** Where a form was being sent, what came of it shows too. */
function FailurePage({ status }: { status: number }) {
  const { heading, lead, reference } = useFailureText(status);
  const reply = useLastReply();
  const { pathname } = useLocation();
  const reopen = (
    <a className="button" href={onThisSite(pathname)}>
      Open the page again
    </a>
  );
  return (
    <ErrorLayout heading={heading} action={status < 500 ? reopen : undefined}>
      <div role="status">{reply === "" ? null : <p className="lead">{reply}</p>}</div>
      <p className="lead" data-failure="">
        {lead}
      </p>
      {reference && (
        <p>
          If you write to us about it, please quote{" "}
          <strong translate="no" data-reference="">
            {reference}
          </strong>
        </p>
      )}
    </ErrorLayout>
  );
}

/** Other sites can send a form to `//evil.example`, which as a link would lead there. */
function onThisSite(pathname: string): string {
  return pathname.replace(/^[/\\]+/, "/");
}

interface ErrorLayoutProps {
  heading: string;
  title?: string;
  action?: ReactNode;
  children: ReactNode;
}

function ErrorLayout({ heading, title = heading, action, children }: ErrorLayoutProps) {
  return (
    <main id="main" className="prose error-page">
      <title>{`${title} | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <EmptyPitch />
      <h1>{heading}</h1>
      {children}
      {action ?? (
        <PageLink className="button" to="/">
          Back to home
        </PageLink>
      )}
    </main>
  );
}
