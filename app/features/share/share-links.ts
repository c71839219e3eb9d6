import type { ShareContent } from "#app/features/share/share.ts";

/** Prefilled share links, which work without JavaScript. */
export function shareLinks({ title, text, url }: ShareContent): { name: string; href: string }[] {
  const body = encodeURIComponent(`${text}\n\n${url}`);
  return [
    { name: "Share by email", href: `mailto:?subject=${encodeURIComponent(title)}&body=${body}` },
    { name: "Share on Facebook", href: `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}` },
    { name: "Share on WhatsApp", href: `https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}` },
  ];
}
