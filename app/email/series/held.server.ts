import { sql } from "drizzle-orm";

/** A step that is paused until the owner resumes it holds all others back: each person gets one after the other. */
export const isHeld = sql`EXISTS (SELECT 1 FROM series_steps JOIN letters ON letters.id = series_steps.letter_id
  WHERE letters.state = 'paused' AND letters.resumes_at IS NULL)`;
