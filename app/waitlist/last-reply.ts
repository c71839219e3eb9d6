import { useSyncExternalStore } from "react";

let message = "";
let showChange = () => {};

/** Keeps the response to the last sign-up on this page, for an error page that has replaced its form. */
export function setLastReply(text: string): void {
  message = text;
  showChange();
}

/** @returns an empty text if there is none */
export function useLastReply(): string {
  return useSyncExternalStore(
    subscribe,
    () => message,
    () => "",
  );
}

/** Only an error page subscribes, of which there is one at a time. */
function subscribe(onChange: () => void): () => void {
  showChange = onChange;
  return () => {};
}
