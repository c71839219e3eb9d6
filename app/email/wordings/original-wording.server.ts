import { confirmReminderWording, confirmWording } from "#app/email/templates/confirm-email.server.ts";
import { welcomeWording } from "#app/email/templates/welcome-email.server.ts";
import type { WordedKind, Wording } from "#app/email/wordings/wording.ts";

/** The words of an email while no owner has changed them. */
export function originalWording(kind: WordedKind, occasion: Parameters<typeof welcomeWording>[0]): Wording {
  switch (kind) {
    case "welcome":
      return welcomeWording(occasion);
    case "confirm":
      return confirmWording;
    case "confirm-reminder":
      return confirmReminderWording;
  }
}
