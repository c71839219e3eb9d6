import { HYDRATED_EVENT } from "#app/layout/hydration/deferred-hydration.ts";

let serverPage: Node | null = null;

/** Saves a copy of the server's page, with what has been typed into it, until the page is hydrated. Call before hydration. */
export function savePage(): void {
  serverPage = document.documentElement.cloneNode(true);
  document.addEventListener(HYDRATED_EVENT, () => {
    serverPage = null;
  });
}

/**
 * Shows the server's page again after hydration failed. Its links and forms work without scripts.
 *
 * @returns false if the page is already hydrated
 */
export function restorePage(): boolean {
  if (serverPage === null) return false;
  // React keeps rendering into the elements that this removes.
  document.documentElement?.remove();
  document.append(serverPage.cloneNode(true));
  return true;
}
