import { PageLink } from "#app/ui/page-link.tsx";

export function BackHome() {
  return (
    <p className="back-home">
      <PageLink className="button button-quiet" to="/">
        Back to home
      </PageLink>
    </p>
  );
}
