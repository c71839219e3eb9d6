/** What is shared: the site, whichever page the visitor is on. */
export interface Shared {
  title: string;
  text: string;
  url: string;
}

/**
 * Opens the device's own share sheet where there is one, and otherwise copies the link and says so.
 *
 * Never throws: a failure is logged. Closing the sheet is none.
 */
export async function share(shared: Shared): Promise<void> {
  try {
    if (typeof navigator.share === "function") return await navigator.share(shared);
    await navigator.clipboard.writeText(shared.url);
    window.alert("Link copied to clipboard!");
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    console.error("Sharing failed", error);
  }
}
