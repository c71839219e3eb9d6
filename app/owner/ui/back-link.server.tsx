/** The link above a page's heading to the page that it belongs to. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <p className="owner-back">
      <a className="quiet-link" href={href}>
        {children}
      </a>
    </p>
  );
}
