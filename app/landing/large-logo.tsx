import { Bunting } from "#app/pictures/bunting.tsx";
import { Logo } from "#app/pictures/logo.tsx";
import { site } from "#app/site.ts";
import { Still } from "#app/ui/still.tsx";

export function LargeLogo() {
  return <Still as="section" className="large-logo" aria-label={site.name} content={sign} />;
}

const sign = (
  <>
    <Bunting />
    <p className="large-logo-sign">
      <Logo />
      {site.name}
    </p>
    <p className="large-logo-tagline">{site.tagline}</p>
  </>
);
