/*
 * The inline script of every page: what must work without React, and what starts hydration. It is the last element of
 * the body. Its size counts against the budget for script that readers receive, so it repeats nothing that CSS can do.
 */
import { holdAccordionHeaders } from "#app/layout/inline-script/accordion.ts";
import { carryCampaign } from "#app/layout/inline-script/campaign-links.ts";
import { handleConsent } from "#app/layout/inline-script/consent.ts";
import { handleFocus, holdPress, hydrateOnResponse } from "#app/layout/inline-script/hydration.ts";
import { markLoading } from "#app/layout/inline-script/progress.ts";

handleConsent();
carryCampaign();
holdPress();
hydrateOnResponse();
handleFocus();
markLoading();
holdAccordionHeaders();
