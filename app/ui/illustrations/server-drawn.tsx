import { type ComponentType, Suspense, useState, useSyncExternalStore } from "react";

/**
 * A picture that the server draws. Hydration leaves it alone, so that browsers need not download its code. They do after
 * a client-side navigation, or if React must render the page again.
 *
 * `className`: of the drawing, for its place while it is downloaded. `Drawing`: on the server a picture, in browsers a lazy one.
 */
export function ServerDrawn({ className, Drawing }: { className: string; Drawing: ComponentType }) {
  const isHydrating = useSyncExternalStore(subscribe, inBrowser, onServer);
  const [isInDocument] = useState(isHydrating);
  if (import.meta.env.SSR) return <Drawing />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React never sets it, see below
  if (isInDocument) return <svg aria-hidden="true" dangerouslySetInnerHTML={UNTOUCHED} suppressHydrationWarning />;
  return (
    <Suspense fallback={<svg className={className} aria-hidden="true" />}>
      <Drawing />
    </Suspense>
  );
}

/** With inner HTML React does not look for children. It never sets it, because the object stays the same. */
const UNTOUCHED = { __html: "" };

const subscribe = () => () => {};
const inBrowser = () => false;
const onServer = () => true;
