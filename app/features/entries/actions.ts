/** What the log says of each action. */
export const actions: Record<string, string> = {
  "add-entry": "Added a person",
  unsubscribe: "Unsubscribed",
  erase: "Erased",
  "erase-many": "Started erasing entries",
  "stop-erasing": "Stopped erasing entries",
  "unsubscribe-many": "Started unsubscribing entries",
  "stop-unsubscribing": "Stopped unsubscribing entries",
  "undo-unsubscribing": "Started putting unsubscribed entries back",
  "stop-undoing": "Stopped putting unsubscribed entries back",
  "resend-welcome": "Sent the welcome email again",
  "resend-confirmation": "Sent the confirmation email again",
  note: "Changed the note",
  export: "Exported entries",
  "change-entry": "Changed answers",
  unsuppress: "Allowed email to an address again",
};
