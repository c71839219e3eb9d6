import { Outlet, useLocation } from "react-router";
import { ErrorPage } from "#app/frame/error-page.tsx";
import { sitePages } from "#app/seo/site-pages.ts";
import { RestStyles } from "#app/styles/styles.tsx";
import type { Route } from "./+types/in-frame";

export default function InFrame() {
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
      {pathname === sitePages.home.path ? <RestStyles /> : null}
    </>
  );
}
