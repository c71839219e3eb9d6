import type { LetterContent } from "#app/email/letters/check-letter.server.ts";
import { MAX_DAYS } from "#app/email/series/step-days.ts";
import type { StepDraft } from "#app/email/series/steps.server.ts";
import type { SavedView } from "#app/owner/entries/views/saved-view.ts";
import { readContent, toWords } from "#app/owner/letters/read-content.ts";
import { readAudienceChoice } from "#app/owner/series/audience-choice.ts";
import type { StepAudience } from "#app/server/db/schema/series.server.ts";
import { fieldText } from "#app/server/read-form.server.ts";

/** The form of a step, as it was typed. */
export interface GivenStep {
  content: LetterContent;
  days: string;
  /** See `audience-choice.ts`. */
  audience: string;
}

/** Why a step cannot be saved, by field. */
export interface StepProblems {
  days?: string;
  audience?: string;
}

/** What a form says; without a draft if it has problems. */
export interface ReadStep {
  given: GivenStep;
  draft: StepDraft | null;
  problems: StepProblems;
}

/** @param kept the present audience of the step */
export function readStep(form: FormData, views: SavedView[], kept: StepAudience | null): ReadStep {
  const content = readContent(form);
  const given = { content, days: fieldText(form, "days"), audience: fieldText(form, "audience") };
  const days = /^\d{1,3}$/.test(given.days) ? Number(given.days) : 0;
  const audience = readAudienceChoice(given.audience, views, kept);
  const problems: StepProblems = {
    ...(days >= 1 && days <= MAX_DAYS ? {} : { days: `Type a whole number from 1 to ${MAX_DAYS}.` }),
    ...(audience === undefined ? { audience: "This view no longer exists. Choose again." } : {}),
  };
  const isFine = audience !== undefined && problems.days === undefined;
  return { given, problems, draft: isFine ? { ...toWords(content), days, audience } : null };
}
