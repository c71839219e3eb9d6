import { Outlet, useLocation } from "react-router";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { DeferredStyles } from "#app/layout/styles/styles.tsx";
import { landingPage } from "#app/pages/landing/page.ts";
import type { Route } from "./+types/layout";

export default function PageLayout() {
  return <Outlet />;
}

/**
 * Stands below the root, so that the frame around it is whole: when an action throws, only what is above the boundary
 * is loaded. The root's own boundary is for a frame that failed.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation();
  return (
    <>
      <ErrorPage error={error} />
      {/* In place of the landing page's own, which the frame leaves to it. */}
      {pathname === landingPage.path ? <DeferredStyles /> : null}
    </>
  );
}
