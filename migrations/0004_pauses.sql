-- The queue's columns for emails and batches of letters, and one table of pauses.
DROP INDEX `email_outbox_sent_at`;
--> statement-breakpoint
ALTER TABLE `email_outbox` RENAME COLUMN `sent_at` TO `done_at`;
--> statement-breakpoint
CREATE INDEX `email_outbox_done_at` ON `email_outbox` (`done_at`) WHERE "email_outbox"."done_at" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `letter_batches` ADD `dead_at` integer;
--> statement-breakpoint
UPDATE `letter_batches` SET `dead_at` = coalesce(`done_at`, 0), `done_at` = NULL WHERE `outcome` = 'unknown';
--> statement-breakpoint
DROP INDEX `letter_batches_open`;
--> statement-breakpoint
DROP INDEX `letter_batches_unknown`;
--> statement-breakpoint
ALTER TABLE `letter_batches` DROP COLUMN `outcome`;
--> statement-breakpoint
CREATE INDEX `letter_batches_waiting` ON `letter_batches` (`letter_id`,`number`) WHERE "letter_batches"."done_at" IS NULL AND "letter_batches"."dead_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `letter_batches_dead` ON `letter_batches` (`letter_id`,`number`) WHERE "letter_batches"."dead_at" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `email_pauses` RENAME TO `old_pauses`;
--> statement-breakpoint
CREATE TABLE `email_pauses` (
	`scope` text NOT NULL,
	`letter_id` integer DEFAULT 0 NOT NULL,
	`reason` text NOT NULL,
	`until` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `letter_id`, `reason`)
);
--> statement-breakpoint
INSERT INTO `email_pauses` (`scope`, `reason`, `until`, `created_at`)
SELECT iif(`reason` = 'sign-up-bounces', 'unverified', 'all'), `reason`, nullif(`until`, 9007199254740991), `created_at` FROM `old_pauses`;
--> statement-breakpoint
DROP TABLE `old_pauses`;
--> statement-breakpoint
INSERT INTO `email_pauses` (`scope`, `letter_id`, `reason`, `until`, `created_at`)
SELECT iif(`step_id` IS NOT NULL AND `resumes_at` IS NULL, 'follow-ups', 'letter'), `id`,
	iif(`pause_reason` IN ('configuration', 'quota'), coalesce(`fault`, 'refused-request'), `pause_reason`), `resumes_at`, coalesce(`paused_at`, 0)
FROM `letters` WHERE `state` = 'paused' AND `pause_reason` IS NOT NULL;
--> statement-breakpoint
UPDATE `letters` SET `state` = 'sending' WHERE `state` = 'paused';
--> statement-breakpoint
ALTER TABLE `letters` DROP COLUMN `pause_reason`;
--> statement-breakpoint
ALTER TABLE `letters` DROP COLUMN `paused_at`;
--> statement-breakpoint
ALTER TABLE `letters` DROP COLUMN `resumes_at`;
--> statement-breakpoint
ALTER TABLE `letters` DROP COLUMN `fault`;
