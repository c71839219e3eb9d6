/*
 * The inline script of every page: what must work without React, and what starts hydration. It is the last element of
 * the body. Its size counts against the budget for script that readers receive, so it repeats nothing that CSS can do.
 */
import { holdAccordionHeaders } from "#app/layout/inline-script/accordion.ts";
import { carryCampaign } from "#app/layout/inline-script/campaign-links.ts";
import { handleConsent } from "#app/layout/inline-script/consent.ts";
import { keepFocusClear } from "#app/layout/inline-script/focus.ts";
import { hydrateOnUse, replayPress } from "#app/layout/inline-script/hydration.ts";
import { showProgress } from "#app/layout/inline-script/progress.ts";
import { FAILURE_META } from "#app/ui/script-attributes.ts";

handleConsent();
carryCampaign();
replayPress();
hydrateOnUse();
showProgress();
holdAccordionHeaders();
keepFocusClear();

for (const { content } of document.querySelectorAll<HTMLMetaElement>(`[name=${FAILURE_META}]`)) console.error(content);
