CREATE TABLE `saved_versions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`path` text NOT NULL,
	`fields` text NOT NULL,
	`actor` text,
	`form` text,
	`is_draft` integer DEFAULT false NOT NULL,
	`entry_id` integer,
	`saved_at` integer NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saved_versions_path` ON `saved_versions` (`path`,`id`);--> statement-breakpoint
CREATE INDEX `saved_versions_entry` ON `saved_versions` (`entry_id`) WHERE "saved_versions"."entry_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `letters_key` ON `letters` (`key`);