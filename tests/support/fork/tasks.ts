import type { Question } from "#app/site.ts";
import { addEmail } from "#tests/support/fork/add-email.ts";
import { addField } from "#tests/support/fork/add-field.ts";
import { addPage } from "#tests/support/fork/add-page.ts";
import { ask } from "#tests/support/fork/ask.ts";
import { format } from "#tests/support/fork/edit.ts";
import { recolour } from "#tests/support/fork/recolour.ts";
import { rename } from "#tests/support/fork/rename.ts";
import { switchOff } from "#tests/support/fork/switch-off.ts";
import type { Switch } from "#tests/support/switched-off.ts";

/** Something that the owner of a fork changes. */
interface Task {
  /** As docs/make-it-yours.md calls it. */
  name: string;
  carryOut(folder: string): void;
  /** What is edited by hand. Generators write other files. */
  files: string[];
}

/** What a fork of another product switches off. */
export const unwanted: Switch[] = ["drawing", "blog"];

/** Of another product: two with answers, and one for a short text. */
const questions: Question[] = [
  {
    key: "cuisine",
    label: "Cuisine",
    wording: "What do you cook, or like to eat?",
    answers: { grill: "From the grill", noodles: "Noodles", sweet: "Something sweet" },
  },
  { key: "region", label: "Region", wording: "Where are you?" },
  {
    key: "size",
    label: "Size",
    wording: "How large is your festival or kitchen?",
    answers: { small: "Small", large: "Large" },
  },
];

/** What turns a clone into another product's site, in this order. */
export const tasks: Task[] = [
  { name: "Words", carryOut: rename, files: ["app/site.ts"] },
  { name: "Colours", carryOut: recolour, files: ["app/ui/theme.ts"] },
  {
    name: "Questions",
    carryOut: (folder) => {
      ask(folder, questions);
      format(folder);
    },
    files: ["app/site.ts"],
  },
  {
    name: "Parts and features off",
    carryOut: (folder) => switchOff(folder, unwanted),
    files: ["app/switches.ts"],
  },
  {
    name: "One more page",
    carryOut: addPage,
    files: ["app/layout/links.ts", "app/pages/faq/page.ts", "app/routes.ts", "app/routes/faq.tsx"],
  },
  {
    name: "One more field in the form",
    carryOut: addField,
    files: [
      "app/server/db/schema/entries.server.ts",
      "app/waitlist/entry-fields.server.ts",
      "app/waitlist/sign-up-form.tsx",
      "app/waitlist/sign-up.css",
    ],
  },
  {
    name: "One more email",
    carryOut: addEmail,
    files: [
      "app/email/render-email.server.ts",
      "app/email/templates/launch-email.server.ts",
      "app/owner/ui/labels.ts",
      "app/server/db/schema/email.server.ts",
      "app/waitlist/my-data/stored-data.server.ts",
    ],
  },
];
