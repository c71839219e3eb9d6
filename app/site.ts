/** Change these first when you fork this site. */
export const site = {
  name: "Stallwright",
  tagline: "Where craft stalls and good events find each other",
  description:
    "Stallwright will match event hosts with craft stallholders by date, distance and what each of them needs. Join the waitlist and help shape it.",
  /** The launch date on the roadmap. */
  launch: "in beta at the end of 2025",
} as const;
