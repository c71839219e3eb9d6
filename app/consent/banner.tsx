import { type FocusEvent, type FormEvent, useEffect, useRef } from "react";
import { CategoryList } from "#app/consent/category-list.tsx";
import type { Choice, Preference } from "#app/consent/preference-cookie.ts";
import { CONSENT_ACTION } from "#app/consent/save-preference.ts";
import { BANNER_ID, settingsLink } from "#app/consent/settings-link.ts";
import { PageLink } from "#app/ui/page-link.tsx";

interface ConsentBannerProps {
  /** The state of the toggles. */
  saved: Preference | null;
  gpc: boolean;
  /** The visitor has just opened the banner. */
  shouldFocus: boolean;
  onChoose: (event: FormEvent<HTMLFormElement>) => void;
}

const buttons: { choice: Choice; name: string }[] = [
  { choice: "decline", name: "Decline All" },
  { choice: "selected", name: "Accept Selected" },
  { choice: "accept", name: "Accept All" },
];

/** The cookie banner: a non-modal form fixed to the foot of the page. */
export function ConsentBanner({ saved, gpc, shouldFocus, onChoose }: ConsentBannerProps) {
  const { banner, restoreFocus, rememberFocus } = useFocus(shouldFocus);

  function choose(event: FormEvent<HTMLFormElement>) {
    restoreFocus();
    onChoose(event);
  }

  return (
    <section
      className="consent"
      id={BANNER_ID}
      aria-label="Cookie preferences"
      tabIndex={-1}
      ref={banner}
      onFocus={rememberFocus}
    >
      <div className="page consent-columns">
        <div>
          <p className="consent-title">May we count your visit?</p>
          <p>
            We would like to know which pages are read and which adverts bring people here. None of that runs unless you
            agree. <PageLink to={CONSENT_ACTION}>Cookie policy</PageLink>
          </p>
          {gpc ? (
            <p className="consent-gpc">
              Your browser sends Global Privacy Control: marketing stays off unless you switch it on yourself.
            </p>
          ) : null}
        </div>
        <form method="post" action={CONSENT_ACTION} onSubmit={choose} data-deferred="">
          <details open={saved !== null}>
            <summary>Choose by category</summary>
            <CategoryList saved={saved} />
          </details>
          <div className="consent-buttons">
            {buttons.map(({ choice, name }) => (
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

/** Focuses the banner when the visitor opens it, and restores the focus after the choice. */
function useFocus(shouldFocus: boolean) {
  const banner = useRef<HTMLElement>(null);
  const opener = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (shouldFocus) banner.current?.focus();
  }, [shouldFocus]);

  function rememberFocus({ currentTarget, relatedTarget }: FocusEvent) {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) opener.current = relatedTarget;
  }

  function restoreFocus() {
    if (!banner.current?.contains(document.activeElement)) return;
    const target = opener.current ?? document.querySelector<HTMLElement>(`a[href="${settingsLink}"]`);
    target?.focus({ preventScroll: true });
  }

  return { banner, rememberFocus, restoreFocus };
}
