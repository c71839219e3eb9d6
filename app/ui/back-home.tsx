import { PageLink } from "#app/ui/page-link.tsx";

/** The way back from a page that stands beside the landing page. */
export function BackHome() {
  return (
    <p className="back-home">
      <PageLink className="button button-quiet" to="/">
        Back to home
      </PageLink>
    </p>
  );
}
