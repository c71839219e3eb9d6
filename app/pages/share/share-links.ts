import type { Shared } from "#app/pages/share/share.ts";

/** Addresses that share a link without any script: each opens with what is shared filled in. */
export function shareLinks({ title, text, url }: Shared): { name: string; href: string }[] {
  const body = encodeURIComponent(`${text}\n\n${url}`);
  return [
    { name: "Share by e-mail", href: `mailto:?subject=${encodeURIComponent(title)}&body=${body}` },
    { name: "Share on Facebook", href: `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}` },
    { name: "Share on WhatsApp", href: `https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}` },
  ];
}
