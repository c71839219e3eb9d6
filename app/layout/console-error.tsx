import { useEffect, useSyncExternalStore } from "react";
import { FAILURE_META } from "#app/ui/script-attributes.ts";

/** Writes a line to the browser's console: the inline script in documents, an effect after client-side navigations. */
export function ConsoleError({ message }: { message: string }) {
  const isInDocument = useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the first render tells where the page came from
  useEffect(() => {
    if (!isInDocument) console.error(message);
  }, []);

  return <meta name={FAILURE_META} content={message} />;
}
