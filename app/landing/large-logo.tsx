import { Bunting } from "#app/pictures/bunting.tsx";
import { Logo } from "#app/pictures/logo.tsx";
import { site } from "#app/site.ts";
import "#app/landing/large-logo.css";

export function LargeLogo() {
  return (
    <section className="large-logo" aria-label={site.name}>
      <Bunting />
      <p className="large-logo-sign">
        <Logo />
        {site.name}
      </p>
      <p className="large-logo-tagline">{site.tagline}</p>
    </section>
  );
}
