import { useSyncExternalStore } from "react";

let reply = { message: "", pathname: "" };
let showChange = () => {};

/** Keeps the response to the last sign-up on this page, for an error page that has replaced its form. */
export function setLastReply(message: string): void {
  reply = { message, pathname: location.pathname };
  showChange();
}

/** @returns an empty text if there is none for the page's address */
export function useLastReply(): string {
  return useSyncExternalStore(
    subscribe,
    () => (reply.pathname === location.pathname ? reply.message : ""),
    () => "",
  );
}

/** Only an error page subscribes, of which there is one at a time. */
function subscribe(onChange: () => void): () => void {
  showChange = onChange;
  return () => {};
}
