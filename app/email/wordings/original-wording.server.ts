import { confirmReminderWording, confirmWording } from "#app/email/templates/confirm-email.server.ts";
import { welcomeWording } from "#app/email/templates/welcome-email.server.ts";
import type { WordedKind, Wording } from "#app/email/wordings/wording.ts";

/** The words of an email while no owner has changed them. @param launchUrl where the product is, once it has launched */
export function originalWording(kind: WordedKind, launchUrl: string | undefined): Wording {
  switch (kind) {
    case "welcome":
      return welcomeWording(launchUrl);
    case "confirm":
      return confirmWording;
    case "confirm-reminder":
      return confirmReminderWording;
  }
}
