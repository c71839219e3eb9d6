CREATE TABLE `counts` (
	`subject` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`subject`, `name`)
);
--> statement-breakpoint
CREATE INDEX `counts_largest` ON `counts` (`subject`,`count`);--> statement-breakpoint
CREATE TABLE `owner_sign_ins` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`mailed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE TABLE `sign_up_counts` (
	`quarter` integer PRIMARY KEY NOT NULL,
	`people` integer NOT NULL
);
--> statement-breakpoint
DROP TABLE `owner_notices`;--> statement-breakpoint
CREATE TABLE `owner_notices` (
	`kind` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`facts` text NOT NULL,
	`covers_until` integer NOT NULL,
	`owed_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`sent_at` integer,
	`dead_at` integer,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `mail_outbox_dead` ON `mail_outbox` (`dead_at`) WHERE "mail_outbox"."dead_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `waitlist_emails_status_created_at` ON `waitlist_emails` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `waitlist_emails_status_email` ON `waitlist_emails` (`status`,`email`);--> statement-breakpoint
CREATE INDEX `waitlist_emails_source_created_at` ON `waitlist_emails` (`source`,`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `waitlist_emails_source_email` ON `waitlist_emails` (`source`,`status`,`email`);