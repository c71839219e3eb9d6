import { site } from "#app/site.ts";
import { Bunting } from "#app/ui/illustrations/bunting.tsx";
import { Logo } from "#app/ui/illustrations/logo.tsx";

export function LargeLogo() {
  return (
    <section className="large-logo" aria-label={site.name}>
      <Bunting />
      <p className="large-logo-sign" translate="no">
        <Logo />
        {site.name}
      </p>
      <p className="large-logo-tagline">{site.tagline}</p>
    </section>
  );
}
