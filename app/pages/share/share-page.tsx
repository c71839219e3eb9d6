import { ShareButton } from "#app/pages/share/share-button.tsx";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { useRootData } from "#app/ui/root-data.ts";

/** Shares the landing page from anywhere on the site. @param props.text - what the site is, for those who get the link */
export function SharePage({ text = site.description }: { text?: string }) {
  const { siteUrl = "" } = useRootData() ?? {};
  return switches.share ? <ShareButton url={`${siteUrl}/`} text={text} /> : null;
}
