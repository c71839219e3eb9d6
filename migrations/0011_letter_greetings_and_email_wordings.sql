CREATE TABLE `email_wordings` (
	`kind` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`heading` text NOT NULL,
	`body` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `letter_greetings` (
	`letter_id` integer NOT NULL,
	`position` integer NOT NULL,
	`entry_id` integer NOT NULL,
	`answers` text NOT NULL,
	PRIMARY KEY(`letter_id`, `position`),
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `letter_greetings_entry` ON `letter_greetings` (`entry_id`);--> statement-breakpoint
ALTER TABLE `letter_recipients` ADD `bounced_softly` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `reply_to` text;