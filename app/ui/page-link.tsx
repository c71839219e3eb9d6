import type { ComponentProps, MouseEvent } from "react";
import { useLinkClickHandler, useLocation, useRouteLoaderData } from "react-router";
import type { loader } from "#app/root.tsx";
import { needsDocumentLoad } from "#app/ui/csp-navigation.ts";

type PageLinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** A whole path, with an anchor where one is meant, or an anchor of the page on which the link stands. */
  to: `/${string}` | `#${string}`;
};

/**
 * A link to a page of this site. It loads a document where the two pages' content policies differ.
 *
 * The server writes the anchor alone: what else there is to a link is for clicks, which the browser has.
 */
export const PageLink = import.meta.env.SSR ? Anchor : RouterLink;

function Anchor({ to, ...props }: PageLinkProps) {
  return <a {...props} href={to} />;
}

function RouterLink(props: PageLinkProps) {
  const { to, onClick } = props;
  const isHere = to.startsWith("#");
  const { search } = useLocation();
  // A link within a page keeps its query, in which a campaign may stand.
  const follow = useLinkClickHandler(isHere ? { search, hash: to } : to, { viewTransition: !isHere });
  const loadsDocument = useDocumentLoad(to);

  function click(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!loadsDocument && !event.defaultPrevented) follow(event);
  }

  return <Anchor {...props} onClick={click} />;
}

function useDocumentLoad(to: string): boolean {
  // A page whose root loader failed knows no paths: "" stands for all of them.
  const paths = useRouteLoaderData<typeof loader>("root")?.ownCspPaths ?? [""];
  const from = useLocation().pathname;
  return needsDocumentLoad(from, to.split(/[?#]/, 1)[0] || from, paths);
}
