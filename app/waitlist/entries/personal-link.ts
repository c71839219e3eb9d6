/** What a friend’s link opens with, and what the ticket says that is its preview. */
export const INVITATION = "A friend has invited you";

/** The personal link of someone on the list. @param via the code of their entry */
export function personalLink(siteUrl: string, via: string): string {
  return `${siteUrl}/?via=${via}`;
}

export function qrCodePath(via: string): string {
  return `/qr/${via}.svg`;
}

/** What a visit through a personal link is counted by: its kind and its name. @public for visits and referrals, which can be removed */
export const VISIT_BY_LINK = ["via", "link"] as const;
