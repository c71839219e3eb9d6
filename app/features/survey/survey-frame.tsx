import { site } from "#app/site.ts";

/**
 * The provider's survey form in a sandboxed iframe. `allow-same-origin` keeps the form on the provider's origin, whose
 * session holds the visitor's answers together.
 */
export function SurveyFrame({ url }: { url: string }) {
  return (
    <>
      <iframe
        className="survey-frame"
        src={url}
        title={`Survey for ${site.host.label} and ${site.stallholder.label}`}
        sandbox="allow-forms allow-scripts allow-same-origin allow-popups"
        referrerPolicy="strict-origin-when-cross-origin"
      />
      <p>
        The form is provided by <span translate="no">{new URL(url).host}</span>, which receives your answers under its
        own privacy policy. If your browser does not show it,{" "}
        <a href={url} target="_blank" rel="noopener">
          open the survey in a new tab
        </a>
        .
      </p>
    </>
  );
}
