import { type ComponentType, createContext } from "react";

export interface ShareProps {
  /** What is shared, for those who get the link: what the site is, unless given. */
  text?: string;
  /** The code of the visitor's personal link, which is then shared in place of the page's own. */
  via?: string | undefined;
  /** A page to share in place of the landing page. */
  page?: { path: `/${string}`; title: string };
  /** Whether it is the filled button of its group. */
  isMain?: boolean;
  /** The button's words; without them it shares the site by name. */
  label?: string;
}

/** The component that shares the site or one of its pages; null where nothing does. */
export const ShareContext = createContext<ComponentType<ShareProps> | null>(null);
