interface ShareContent {
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

/** Prefilled share links, which work without JavaScript. */
export function shareLinks({ title, text, url }: ShareContent): { name: string; href: string }[] {
  const body = encodeURIComponent(`${text}\n\n${url}`);
  return [
    { name: "Share by email", href: `mailto:?subject=${encodeURIComponent(title)}&body=${body}` },
    { name: "Share on Facebook", href: `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}` },
    { name: "Share on WhatsApp", href: `https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}` },
  ];
}
