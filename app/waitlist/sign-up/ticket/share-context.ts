import { type ComponentType, createContext } from "react";

interface ShareProps {
  /** What the site is, for those who get the link. */
  text?: string;
  /** The code of the visitor's personal link, which is then shared in place of the page's own. */
  via?: string | undefined;
}

/** Shares the site; null where nothing does. */
export const ShareContext = createContext<ComponentType<ShareProps> | null>(null);
