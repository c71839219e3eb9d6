/**
 * The survey form of another site, framed. It gets no more rights than a form needs; its origin must stay its own,
 * or the provider could not keep the visitor's answers together.
 */
export function SurveyFrame({ url }: { url: string }) {
  return (
    <>
      <iframe
        className="survey-frame"
        src={url}
        title="Survey for event hosts and stallholders"
        sandbox="allow-forms allow-scripts allow-same-origin allow-popups"
        referrerPolicy="strict-origin-when-cross-origin"
      />
      <p className="survey-note">
        The form belongs to {new URL(url).host}, which receives your answers under its own privacy policy. If your
        browser does not show it,{" "}
        <a href={url} target="_blank" rel="noopener">
          open the survey in a new tab
        </a>
        .
      </p>
    </>
  );
}
