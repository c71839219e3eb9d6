ALTER TABLE `imports` ADD `rows_done` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `leased_until` integer DEFAULT 0 NOT NULL;