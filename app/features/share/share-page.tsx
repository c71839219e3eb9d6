import { ShareButton } from "#app/features/share/share-button.tsx";
import { site } from "#app/site.ts";
import { useRootData } from "#app/ui/root-data.ts";
import { personalLink } from "#app/waitlist/entries/personal-link.ts";

interface SharePageProps {
  text?: string;
  /** The code of the visitor's personal link, which is then shared in place of the page's own. */
  via?: string | undefined;
}

/** Shares the landing page from anywhere on the site. */
export function SharePage({ text = site.description, via }: SharePageProps) {
  const { siteUrl = "" } = useRootData() ?? {};
  const url = via === undefined ? `${siteUrl}/` : personalLink(siteUrl, via);
  return <ShareButton url={url} text={text} />;
}
