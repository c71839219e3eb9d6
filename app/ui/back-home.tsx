import { PageLink } from "#app/ui/page-link.tsx";

/** The link from a secondary page to the landing page. */
export function BackHome() {
  return (
    <p className="back-home">
      <PageLink className="button button-quiet" to="/">
        Back to home
      </PageLink>
    </p>
  );
}
