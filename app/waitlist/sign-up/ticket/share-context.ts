import { type ComponentType, createContext } from "react";

/**
 * Shares the site; null where nothing does. `text`: what the site is, for those who get the link. `via`: the code of the
 * visitor's personal link, which is then shared in place of the page's own.
 */
export const ShareContext = createContext<ComponentType<{ text?: string; via?: string | undefined }> | null>(null);
