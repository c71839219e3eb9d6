/** What the log says of each action. */
export const actions: Record<string, string> = {
  "add-endpoint": "Added a webhook endpoint",
  "change-endpoint": "Changed a webhook endpoint",
  "delete-endpoint": "Deleted a webhook endpoint",
  "replace-endpoint-secret": "Replaced a webhook’s signing secret",
  "test-endpoint": "Sent a test event",
  "send-events-again": "Sent events again",
};
