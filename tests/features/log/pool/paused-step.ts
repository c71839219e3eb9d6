import { env } from "cloudflare:test";

/** Adds a step that is on and paused, with the newest letter. */
export async function addPausedStep(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(`INSERT INTO letters (key, state, subject, preview_line, body, audience, step_id, created_at, updated_at)
      VALUES ('s', 'sending', 'Pitches', '', 'Hello', '{"filter":{}}', 1, 1, 1)`),
    env.DB.prepare(`
      INSERT INTO series_steps (days, hour, subject, preview_line, body, letter_id, since, created_at, updated_at)
      SELECT 3, 9, 'Pitches', '', 'Hello', max(id), ?, 1, 1 FROM letters`).bind(Date.now()),
    env.DB.prepare("INSERT INTO email_pauses SELECT 'follow-ups', max(id), 'owner', NULL, 1 FROM letters"),
  ]);
}
