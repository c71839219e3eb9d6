import type { ComponentProps, MouseEvent } from "react";
import { useLinkClickHandler, useLocation } from "react-router";
import { useRootData } from "#app/ui/root-data.ts";
import { BUSY } from "#app/ui/script-attributes.ts";

type PageLinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** An absolute path with an optional anchor, or an anchor on the current page. */
  to: `/${string}` | `#${string}`;
};

/**
 * A link to a page of this site. It loads a document if the pages' CSPs differ. The server renders a plain anchor, as
 * everything else handles clicks.
 */
export const PageLink = import.meta.env.SSR ? Anchor : RouterLink;

function Anchor({ to, ...props }: PageLinkProps) {
  return <a {...props} href={to} />;
}

function RouterLink(props: PageLinkProps) {
  const { to, onClick } = props;
  const isAnchor = to.startsWith("#");
  const { search } = useLocation();
  // Anchor links keep the query string, which may hold campaign parameters.
  const follow = useLinkClickHandler(isAnchor ? { search, hash: to } : to, { viewTransition: !isAnchor });
  const loadsDocument = useDocumentLoad(to);

  function click(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (loadsDocument || event.defaultPrevented || !isPlainClick(event)) return;
    if (isAnchor) return follow(event);
    event.preventDefault();
    event.currentTarget.setAttribute(BUSY, "");
    // After the next frame, which shows the mark: starting to navigate takes longer than that on a slow device.
    requestAnimationFrame(() => setTimeout(() => follow(event)));
  }

  return <Anchor {...props} onClick={click} />;
}

/** Clicks with other buttons or keys open a tab or window, or download. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || altKey || ctrlKey || shiftKey);
}

/** A CSP stays in force until the next document load, so entering or leaving a page with a different CSP needs one. */
function useDocumentLoad(to: string): boolean {
  // If the root loader failed, the prefix "" makes every link load a document.
  const ownCspPaths = useRootData()?.ownCspPaths ?? [""];
  const from = useLocation().pathname;
  const target = to.split(/[?#]/, 1)[0] || from;
  const hasOwnCsp = (pathname: string) => ownCspPaths.some((path) => `${pathname}/`.startsWith(`${path}/`));
  return from !== target && (hasOwnCsp(from) || hasOwnCsp(target));
}
