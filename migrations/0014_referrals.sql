CREATE TABLE `reached_milestones` (
	`entry_id` integer NOT NULL,
	`friends` integer NOT NULL,
	`reached_at` integer NOT NULL,
	`rewarded_at` integer,
	PRIMARY KEY(`entry_id`, `friends`),
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `referrals` (
	`entry_id` integer PRIMARY KEY NOT NULL,
	`referrer_id` integer,
	`ruling` text,
	`decided_at` integer,
	`domain_hash` text,
	`note` text,
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`referrer_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `referrals_referrer_id` ON `referrals` (`referrer_id`) WHERE "referrals"."referrer_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `referred_domains` (
	`domain_hash` text PRIMARY KEY NOT NULL,
	`counted` integer NOT NULL,
	`counted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `referred_mailboxes` (
	`mailbox_hash` text PRIMARY KEY NOT NULL,
	`counted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `referrers` (
	`entry_id` integer PRIMARY KEY NOT NULL,
	`counted` integer NOT NULL,
	`confirmed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE cascade
);
