export const consentCategories = ["necessary", "analytics", "marketing"] as const;

export type ConsentCategory = (typeof consentCategories)[number];

export const categoryDetails: Record<ConsentCategory, { title: string; description: string }> = {
  necessary: {
    title: "Necessary",
    description: "Remembers your cookie choice, so that no page has to ask again. Always on.",
  },
  analytics: {
    title: "Analytics",
    description: "Measures how the site is used. Off until you switch it on.",
  },
  marketing: {
    title: "Marketing",
    description: "Shows which of our adverts brought people here. Off until you switch it on.",
  },
};
