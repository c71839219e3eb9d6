CREATE TABLE `blocked_attempts` (
	`day` text NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `reason`)
);
--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`entry_id` integer NOT NULL,
	`kind` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`sent_at` integer,
	`dead_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_outbox_entry_kind` ON `mail_outbox` (`entry_id`,`kind`);--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`next_attempt_at`) WHERE "mail_outbox"."sent_at" IS NULL AND "mail_outbox"."dead_at" IS NULL;--> statement-breakpoint
CREATE INDEX `mail_outbox_sent` ON `mail_outbox` (`sent_at`) WHERE "mail_outbox"."sent_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_outbox_leased` ON `mail_outbox` (`leased_until`) WHERE "mail_outbox"."leased_until" > 0;--> statement-breakpoint
CREATE TABLE `owner_notices` (
	`kind` text PRIMARY KEY NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `waitlist_emails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`source` text DEFAULT 'landing_page' NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`early_adopter` integer DEFAULT true NOT NULL,
	`metadata` text NOT NULL,
	`utm_source` text,
	`utm_medium` text,
	`utm_campaign` text,
	`utm_term` text,
	`utm_content` text,
	`referrer_host` text,
	`created_at` integer NOT NULL,
	`unsubscribed_at` integer,
	CONSTRAINT "waitlist_emails_lower_case" CHECK("waitlist_emails"."email" = lower("waitlist_emails"."email"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_emails_email` ON `waitlist_emails` (`email`);--> statement-breakpoint
CREATE INDEX `waitlist_emails_created_at` ON `waitlist_emails` (`created_at`);