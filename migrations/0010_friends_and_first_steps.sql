CREATE TABLE `settled_steps` (
	`key` text PRIMARY KEY NOT NULL,
	`outcome` text NOT NULL,
	`settled_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `referrals_awaiting_review` ON `referrals` (`domain_hash`,`entry_id`) WHERE "referrals"."ruling" = 'one-domain' AND "referrals"."referrer_id" IS NOT NULL;