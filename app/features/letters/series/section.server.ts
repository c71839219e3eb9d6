import { readSubjects } from "#app/features/letters/send/subjects.server.ts";
import { sendStepTest, showStepEmail, showStepPreview } from "#app/features/letters/series/preview-page.server.tsx";
import styles from "#app/features/letters/series/series.css?url";
import { changeHour, seriesInNeed, showSeries } from "#app/features/letters/series/series-page.server.tsx";
import {
  addStep,
  changeStepPage,
  newStep,
  refuseLargeStep,
  showStep,
  withStep,
} from "#app/features/letters/series/step-page.server.tsx";
import { MAX_FORM_BYTES } from "#app/features/letters/write/letter-content.server.ts";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import { seriesSteps } from "#app/server/db/schema/series.server.ts";

const stepForm = { maxBody: MAX_FORM_BYTES, tooLarge: refuseLargeStep };

export const seriesSection: OwnerSection = {
  section: "series",
  styles,
  link: { href: "/owner/series", name: "Follow-ups", group: "Letters" },
  routes: [
    { method: "get", path: "/series", handler: showSeries },
    { method: "post", path: "/series", handler: addStep, ...stepForm },
    { method: "post", path: "/series/hour", handler: changeHour },
    { method: "get", path: "/series/new", handler: newStep },
    { method: "get", path: "/series/:id", handler: withStep(showStep) },
    { method: "post", path: "/series/:id", handler: withStep(changeStepPage), ...stepForm },
    { method: "get", path: "/series/:id/preview", handler: withStep(showStepPreview) },
    { method: "post", path: "/series/:id/preview", handler: withStep(sendStepTest) },
    { method: "get", path: "/series/:id/email", handler: withStep(showStepEmail) },
  ],
  outcomes: {
    "step-saved": "The follow-up is saved.",
    "step-created": "The follow-up is saved. It is off until you switch it on.",
    "step-changed": "The follow-up is saved. People who have not been sent it yet get the new text.",
    "step-on": "The follow-up is on, for people who join from now on.",
    "step-on-again":
      "The follow-up is on again. People who joined while it was off get it too, unless that would be more than three days late.",
    "step-off": "The follow-up is off. Emails that the provider already has will still arrive.",
    "step-extended": "The follow-up will go to these people, too.",
    "step-resumed": "The follow-up will resume within a minute.",
    "step-deleted": "The follow-up is deleted. No one else will get it.",
    "step-gone": "This follow-up no longer exists.",
    "step-tested": "The test has been sent.",
    hour: "The hour is changed.",
  },
  attention: seriesInNeed,
  subject: {
    ...{ key: "stepId", name: "follow-up", path: "/owner/series", endedBy: "delete-step" },
    names: (db, ids) => readSubjects(db, seriesSteps, ids),
  },
};
