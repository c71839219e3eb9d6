export interface ShareContent {
  title: string;
  text: string;
  url: string;
}

/**
 * Opens the device's share sheet, or copies the link where there is none.
 *
 * Never throws: failures are logged, and so is closing the sheet.
 */
export async function share(content: ShareContent): Promise<void> {
  try {
    if (typeof navigator.share === "function") return await navigator.share(content);
    await navigator.clipboard.writeText(content.url);
    window.alert("Link copied to clipboard!");
  } catch (error) {
    console.error("Sharing failed", error);
  }
}
