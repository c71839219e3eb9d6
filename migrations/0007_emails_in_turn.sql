DROP INDEX `email_outbox_due`;--> statement-breakpoint
ALTER TABLE `email_outbox` ADD `network` integer;--> statement-breakpoint
CREATE INDEX `email_outbox_due` ON `email_outbox` (`priority`,`network`,`next_attempt_at`) WHERE "email_outbox"."sent_at" IS NULL AND "email_outbox"."dead_at" IS NULL;