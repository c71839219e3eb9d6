/** What the log says of each action. */
export const actions: Record<string, string> = {
  "create-api-key": "Made an API key",
  "revoke-api-key": "Revoked an API key",
};
