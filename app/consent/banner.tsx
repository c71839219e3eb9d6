import { type FocusEvent, type FormEvent, useEffect, useRef } from "react";
import { CategoryList } from "#app/consent/category-list.tsx";
import type { Choice, Preference } from "#app/consent/preference-cookie.ts";
import { CONSENT_ACTION } from "#app/consent/save-preference.ts";
import { BANNER_ID, settingsLink } from "#app/consent/settings-link.ts";
import { PageLink } from "#app/ui/page-link.tsx";
import { StillFor } from "#app/ui/still.tsx";

interface ConsentBannerProps {
  /** What the toggles show. */
  saved: Preference | null;
  gpc: boolean;
  /** The visitor has just asked for it, and is taken there. */
  isAskedFor: boolean;
  onChoose: (event: FormEvent<HTMLFormElement>) => void;
}

const buttons: { choice: Choice; name: string }[] = [
  { choice: "decline", name: "Decline All" },
  { choice: "selected", name: "Accept Selected" },
  { choice: "accept", name: "Accept All" },
];

/** The question about cookies: a form at the foot of the page, which stays in view and waits to be answered. */
export function ConsentBanner({ saved, gpc, isAskedFor, onChoose }: ConsentBannerProps) {
  const { banner, giveFocusBack, noteFocus } = useFocus(isAskedFor);

  function choose(event: FormEvent<HTMLFormElement>) {
    giveFocusBack();
    onChoose(event);
  }

  return (
    <StillFor
      as="section"
      className="consent"
      id={BANNER_ID}
      aria-label="Cookie preferences"
      tabIndex={-1}
      ref={banner}
      onFocus={noteFocus}
      of={Question}
      facts={{ saved, gpc }}
      handlers={{ onChoose: choose }}
    />
  );
}

type QuestionProps = Pick<ConsentBannerProps, "saved" | "gpc" | "onChoose">;

function Question({ saved, gpc, onChoose }: QuestionProps) {
  return (
    <div className="page consent-columns">
      <div>
        <p className="consent-title">May we count your visit?</p>
        <p>
          We would like to know which pages are read and which adverts bring people here. Nothing of that runs unless
          you agree. <PageLink to={CONSENT_ACTION}>Cookie policy</PageLink>
        </p>
        {gpc ? (
          <p className="consent-gpc">
            Your browser sends Global Privacy Control: marketing stays off unless you switch it on yourself.
          </p>
        ) : null}
      </div>
      <form method="post" action={CONSENT_ACTION} onSubmit={onChoose} data-late="">
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
  );
}

/** Takes the focus where the visitor asked for the banner, and leads it back to where it was once they have chosen. */
function useFocus(isAskedFor: boolean) {
  const banner = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement | null>(null);

  useEffect(() => {
    if (isAskedFor) banner.current?.focus();
  }, [isAskedFor]);

  function noteFocus({ currentTarget, relatedTarget }: FocusEvent) {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  }

  function giveFocusBack() {
    if (!banner.current?.contains(document.activeElement)) return;
    const target = before.current ?? document.querySelector<HTMLElement>(`a[href="${settingsLink}"]`);
    target?.focus({ preventScroll: true });
  }

  return { banner, noteFocus, giveFocusBack };
}
