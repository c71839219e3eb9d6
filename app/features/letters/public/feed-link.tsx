import { lettersPage } from "#app/features/letters/public/page.ts";

/** Tells browsers and readers of feeds where the letters' feed is. React hoists it into the head. */
export function FeedLink() {
  return <link rel="alternate" type="application/atom+xml" title={lettersPage.title} href={lettersPage.feed} />;
}
