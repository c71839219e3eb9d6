import { useEffect, useRef } from "react";
import { categoryDetails, consentCategories } from "#app/consent/categories.ts";
import type { ConsentChoice, Preference } from "#app/consent/preference-cookie.ts";
import { BANNER_ID, CONSENT_ACTION } from "#app/consent/settings-link.ts";
import { PageLink } from "#app/ui/page-link.tsx";

const buttons: Record<ConsentChoice, string> = {
  decline: "Decline All",
  selected: "Accept Selected",
  accept: "Accept All",
};

const question = "May we use cookies to measure site use and see which adverts work?";

/** For browsers that send Global Privacy Control: Accept All does not cover marketing. */
const gpcQuestion = "May we use cookies to measure site use? Global Privacy Control keeps marketing off.";

/**
 * The cookie banner: a non-modal form fixed to the foot of the page. The inline script handles it, before hydration and
 * after (`app/layout/inline-script/consent.ts`).
 */
export function ConsentBanner(props: { saved: Preference | null; gpc: boolean; shouldFocus: boolean }) {
  const { saved, gpc, shouldFocus } = props;
  const banner = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!shouldFocus || banner.current === null) return;
    // Hidden by a choice before hydration.
    banner.current.hidden = false;
    banner.current.focus();
  }, [shouldFocus]);

  return (
    <section className="consent" id={BANNER_ID} aria-label="Cookie preferences" tabIndex={-1} ref={banner}>
      <div className="page consent-columns">
        <p>{gpc ? gpcQuestion : question}</p>
        <form method="post" action={CONSENT_ACTION} data-gpc={gpc ? "" : undefined}>
          <PageLink className="quiet-link" to={CONSENT_ACTION}>
            Cookie policy
          </PageLink>
          <details open={saved !== null}>
            <summary>Choose by category</summary>
            <CategoryList saved={saved} />
          </details>
          <div className="consent-buttons">
            {Object.entries(buttons).map(([choice, name]) => (
              <button key={choice} className="button button-quiet" type="submit" name="choice" value={choice}>
                {name}
              </button>
            ))}
          </div>
        </form>
      </div>
    </section>
  );
}

function CategoryList({ saved }: { saved: Preference | null }) {
  return (
    <ul className="bare-list consent-categories">
      {consentCategories.map((category) => {
        const { title, description } = categoryDetails[category];
        const id = `consent-${category}`;
        const isFixed = category === "necessary";
        return (
          <li key={category}>
            <label htmlFor={id}>{title}</label>
            <input
              type="checkbox"
              id={id}
              name={category}
              defaultChecked={isFixed || saved?.[category] === true}
              disabled={isFixed}
              aria-describedby={`${id}-about`}
            />
            <p id={`${id}-about`}>{description}</p>
          </li>
        );
      })}
    </ul>
  );
}
