import { Outlet, useLocation } from "react-router";
import { landingPage } from "#app/features/landing/page.ts";
import { SharePage } from "#app/features/share/share-page.tsx";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { DeferredStyles } from "#app/layout/styles/styles.tsx";
import { share } from "#app/switches.ts";
import { ShareContext } from "#app/waitlist/sign-up/ticket/share-context.ts";
import type { Route } from "./+types/layout";

export default function PageLayout() {
  return (
    <ShareContext value={share ? SharePage : null}>
      <Outlet />
    </ShareContext>
  );
}

/**
 * Below the root, so that the page frame survives: when an action throws, only the loaders above the boundary run. The
 * root's boundary handles failures of the frame itself.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation();
  return (
    <>
      <ErrorPage error={error} />
      {/* The frame omits these on the landing page, which renders its own. */}
      {pathname === landingPage.path ? <DeferredStyles /> : null}
    </>
  );
}
