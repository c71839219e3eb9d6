export interface ShareContent {
  title: string;
  text: string;
  url: string;
}

/**
 * Opens the device's share sheet, or copies the link where there is none. Never throws: failures are logged, and so is
 * closing the sheet.
 *
 * @returns false if the browser refused, so that the visitor must copy the link
 */
export async function share(content: ShareContent): Promise<boolean> {
  try {
    if (typeof navigator.share === "function") {
      await navigator.share(content);
      return true;
    }
    await navigator.clipboard.writeText(content.url);
    window.alert("Link copied to clipboard!");
    return true;
  } catch (error) {
    console.error("Sharing failed", error);
    return error instanceof DOMException && error.name === "AbortError";
  }
}
