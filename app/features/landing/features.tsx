import { type FeatureGroup, featureGroups } from "#app/features/landing/feature-groups.tsx";
import { IconPicture } from "#app/features/landing/icon-picture.tsx";
import { site } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import { SiteName } from "#app/ui/site-name.tsx";

interface FeaturesProps {
  isLaunched: boolean;
  /** Says when the product opens; absent where the site does not. */
  launchSentence?: string;
}

export function Features({ isLaunched, launchSentence }: FeaturesProps) {
  return (
    <section className="board" aria-labelledby="features">
      <div className="page">
        <div className="section-head">
          <h2 id="features">But what will it do?</h2>
          <svg className="chalk swash" viewBox="0 0 240 10" aria-hidden="true">
            <path d="M2 6q60-6 120-3t116-1" />
          </svg>
          <p className="lead">Three things. Open one to see how it helps you.</p>
        </div>
        <div className="groups">
          {featureGroups.map((group) => (
            <Group key={group.title} {...group} />
          ))}
        </div>
        {isLaunched ? null : <Foot launchSentence={launchSentence} />}
      </div>
    </section>
  );
}

/** Answers for people who cannot see for themselves yet, and the way to the form. */
function Foot({ launchSentence }: Pick<FeaturesProps, "launchSentence">) {
  return (
    <div className="board-foot">
      <div>
        <h3>What will it cost?</h3>
        <p>
          Much of <SiteName /> will always be free. A premium tier will offer more. Joining the waitlist costs nothing.
        </p>
      </div>
      {launchSentence !== undefined || switches.roadmap ? (
        <div>
          <h3>{launchSentence === undefined ? "What comes next?" : "When does it open?"}</h3>
          <p>
            {launchSentence === undefined ? null : <span>{launchSentence}</span>}
            {switches.roadmap ? (
              <>
                {" The "}
                <PageLink to="/roadmap">roadmap</PageLink> shows what’s done, what we’re working on and what comes next.
              </>
            ) : null}
          </p>
        </div>
      ) : null}
      <p className="board-join">
        <PageLink className="button" to="#join">
          Join Waitlist
        </PageLink>
      </p>
    </div>
  );
}

/** The shared `name` makes the browser close the other groups, without JavaScript. */
function Group({ title, tagline, icon, features }: FeatureGroup) {
  return (
    <details className="group" name="features">
      <summary>
        <IconPicture name={icon} />
        <h3 className="group-title">{title}</h3>
        <span className="group-tagline">{tagline}</span>
        <span className="group-contents">{features.map(({ title }) => title).join(" · ")}</span>
      </summary>
      <div className="group-features">
        {features.map(({ title, eventHosts, stallholders }) => (
          <section key={title} className="feature">
            <h4>{title}</h4>
            <dl>
              <div className="for-hosts">
                <dt>{`For ${site.host.label}`}</dt>
                <dd>{eventHosts}</dd>
              </div>
              <div className="for-stallholders">
                <dt>{`For ${site.stallholder.label}`}</dt>
                <dd>{stallholders}</dd>
              </div>
            </dl>
          </section>
        ))}
      </div>
    </details>
  );
}
