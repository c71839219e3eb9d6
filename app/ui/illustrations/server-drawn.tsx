import { type ComponentType, Suspense, useState, useSyncExternalStore } from "react";

interface ServerDrawnProps<Props> {
  /** Of the drawing's outermost element. */
  Tag?: "svg" | "div";
  /** Of the drawing, for its place while it is downloaded. */
  className: string;
  /** On the server the drawing, in browsers a lazy one. */
  Drawing: ComponentType<Props>;
  props?: Props;
}

/**
 * What only the server draws: a picture, or something that needs no script. Hydration leaves it alone, so that browsers need
 * not download its code. They do after a client-side navigation, or if React must render the page again.
 */
export function ServerDrawn<Props extends object>({ Tag = "svg", className, Drawing, props }: ServerDrawnProps<Props>) {
  const isHydrating = useSyncExternalStore(subscribe, inBrowser, onServer);
  const [isInDocument] = useState(isHydrating);
  const drawing = <Drawing {...(props as Props)} />;
  if (import.meta.env.SSR) return drawing;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React never sets it, see below
  if (isInDocument) return <Tag dangerouslySetInnerHTML={UNTOUCHED} suppressHydrationWarning />;
  return <Suspense fallback={<Tag className={className} aria-hidden="true" />}>{drawing}</Suspense>;
}

/** With inner HTML React does not look for children. It never sets it, because the object stays the same. */
const UNTOUCHED = { __html: "" };

const subscribe = () => () => {};
const inBrowser = () => false;
const onServer = () => true;
