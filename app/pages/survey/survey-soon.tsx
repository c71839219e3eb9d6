import { EmptyPitch } from "#app/ui/illustrations/empty-pitch.tsx";
import { PageLink } from "#app/ui/page-link.tsx";

/** Shown while no survey is configured. */
export function SurveySoon() {
  return (
    <div className="survey-soon">
      <div>
        <h2>The survey opens soon</h2>
        <p>There is nothing to fill in yet. Join the waitlist, and you will hear from us when there is news.</p>
        <p>
          <PageLink className="button" to="/#join">
            Join the waitlist
          </PageLink>
        </p>
      </div>
      <EmptyPitch />
    </div>
  );
}
