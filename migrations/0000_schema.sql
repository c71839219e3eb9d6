CREATE TABLE `email_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`entry_id` integer,
	`owner_id` text,
	`kind` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`priority` integer NOT NULL,
	`data` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_attempt_at` integer,
	`next_attempt_at` integer NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`sent_at` integer,
	`dead_at` integer,
	`soft_bounced_at` integer,
	`reason` text,
	`created_at` integer NOT NULL,
	`network` integer,
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_outbox_dedupe_key` ON `email_outbox` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `email_outbox_due` ON `email_outbox` (`priority`,`network`,`next_attempt_at`) WHERE "email_outbox"."sent_at" IS NULL AND "email_outbox"."dead_at" IS NULL;--> statement-breakpoint
CREATE INDEX `email_outbox_entry_id` ON `email_outbox` (`entry_id`) WHERE "email_outbox"."entry_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `email_outbox_sent_at` ON `email_outbox` (`sent_at`) WHERE "email_outbox"."sent_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `email_outbox_dead_at` ON `email_outbox` (`dead_at`) WHERE "email_outbox"."dead_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `email_pauses` (
	`reason` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `email_wordings` (
	`kind` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`heading` text NOT NULL,
	`body` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `erased_addresses` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `provider_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `suppressions` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`until` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `erased_totals` (
	`day` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
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
	`answers` text,
	`created_at` integer NOT NULL,
	`unsubscribed_at` integer,
	`unsubscribe_reason` text,
	`bulk_action_id` integer,
	`consent_version` text,
	`consent_at` integer,
	`consent_note` text,
	`import_id` integer,
	`owner_note` text,
	`confirm_by` integer,
	`confirmed_at` integer,
	`reminded_at` integer,
	`welcomed_at` integer,
	`invited_at` integer,
	`address_hash` text,
	`mailbox_hash` text,
	`verified` integer DEFAULT false NOT NULL,
	`disposable` integer DEFAULT false NOT NULL,
	CONSTRAINT "waitlist_emails_lower_case" CHECK("waitlist_emails"."email" = lower("waitlist_emails"."email"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_emails_email` ON `waitlist_emails` (`email`);--> statement-breakpoint
CREATE INDEX `waitlist_emails_created_at` ON `waitlist_emails` (`created_at`);--> statement-breakpoint
CREATE INDEX `waitlist_emails_mailbox_hash` ON `waitlist_emails` (`mailbox_hash`) WHERE "waitlist_emails"."mailbox_hash" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `letter_batches` (
	`letter_id` integer NOT NULL,
	`number` integer NOT NULL,
	`round` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_attempt_at` integer,
	`next_attempt_at` integer DEFAULT 0 NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`outcome` text DEFAULT 'open' NOT NULL,
	`done_at` integer,
	`sent` integer DEFAULT 0 NOT NULL,
	`reason` text,
	PRIMARY KEY(`letter_id`, `number`),
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `letter_batches_open` ON `letter_batches` (`letter_id`,`number`) WHERE "letter_batches"."outcome" = 'open';--> statement-breakpoint
CREATE INDEX `letter_batches_unknown` ON `letter_batches` (`letter_id`,`number`) WHERE "letter_batches"."outcome" = 'unknown';--> statement-breakpoint
CREATE INDEX `letter_batches_done_at` ON `letter_batches` (`done_at`) WHERE "letter_batches"."done_at" IS NOT NULL;--> statement-breakpoint
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
CREATE TABLE `letter_recipients` (
	`letter_id` integer NOT NULL,
	`position` integer NOT NULL,
	`entry_id` integer,
	`state` text DEFAULT 'pending' NOT NULL,
	`reason` text,
	`done_at` integer,
	`bounced_at` integer,
	`bounced_softly` integer DEFAULT false NOT NULL,
	`complained_at` integer,
	`unsubscribed_at` integer,
	PRIMARY KEY(`letter_id`, `position`),
	FOREIGN KEY (`letter_id`) REFERENCES `letters`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`entry_id`) REFERENCES `waitlist_emails`(`id`) ON UPDATE no action ON DELETE set null
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `letter_recipients_entry` ON `letter_recipients` (`entry_id`,`letter_id`);--> statement-breakpoint
CREATE INDEX `letter_recipients_bounced` ON `letter_recipients` (`letter_id`) WHERE "letter_recipients"."bounced_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `letter_recipients_complained` ON `letter_recipients` (`letter_id`) WHERE "letter_recipients"."complained_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`state` text DEFAULT 'draft' NOT NULL,
	`subject` text NOT NULL,
	`preview_line` text NOT NULL,
	`body` text NOT NULL,
	`reply_to` text,
	`audience` text NOT NULL,
	`is_invitation` integer DEFAULT false NOT NULL,
	`step_id` integer,
	`is_public` integer DEFAULT false NOT NULL,
	`has_web_link` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`scheduled_for` integer,
	`started_at` integer,
	`finished_at` integer,
	`expected` integer DEFAULT 0 NOT NULL,
	`newest_entry_id` integer,
	`batch_size` integer DEFAULT 100 NOT NULL,
	`cursor` integer DEFAULT 0 NOT NULL,
	`cursor_created_at` integer DEFAULT 0 NOT NULL,
	`queued` integer DEFAULT 0 NOT NULL,
	`queued_at` integer,
	`pause_reason` text,
	`paused_at` integer,
	`resumes_at` integer,
	`fault` text,
	`had_first_pause` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `letters_public` ON `letters` (`started_at`) WHERE "letters"."is_public" = 1 AND "letters"."started_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `letters_step_id` ON `letters` (`step_id`) WHERE "letters"."step_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `owner_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`details` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `owner_sessions` (
	`session_hash` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `owner_sign_in_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`browser_id` text,
	`network` integer
);
--> statement-breakpoint
CREATE TABLE `blocked_attempts` (
	`day` text NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	`writes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `reason`)
);
--> statement-breakpoint
CREATE TABLE `page_visits` (
	`day` text PRIMARY KEY NOT NULL,
	`counts` text NOT NULL,
	`names` text DEFAULT '{}' NOT NULL,
	`writes` integer DEFAULT 0 NOT NULL,
	`written_on` text DEFAULT '' NOT NULL,
	`rankings` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stats` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`computed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `series_steps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`days` integer NOT NULL,
	`hour` integer NOT NULL,
	`subject` text NOT NULL,
	`preview_line` text NOT NULL,
	`body` text NOT NULL,
	`reply_to` text,
	`audience` text,
	`letter_id` integer,
	`since` integer,
	`decided_before` integer DEFAULT 0 NOT NULL,
	`planned_day` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `series_steps_days` ON `series_steps` (`days`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_day` text,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE TABLE `embed_origins` (
	`origin` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `bulk_actions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text DEFAULT 'erase' NOT NULL,
	`undoes` integer,
	`state` text DEFAULT 'running' NOT NULL,
	`filter` text NOT NULL,
	`search` text,
	`time_zone` text NOT NULL,
	`newest_entry_id` integer NOT NULL,
	`expected` integer NOT NULL,
	`affected` integer DEFAULT 0 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`written_on` text DEFAULT '' NOT NULL,
	`confirmed_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`order` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`name`);--> statement-breakpoint
CREATE TABLE `import_chunks` (
	`import_id` integer NOT NULL,
	`position` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`import_id`, `position`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`state` text DEFAULT 'receiving' NOT NULL,
	`file_name` text NOT NULL,
	`digest` text,
	`columns` text NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`chunks` integer DEFAULT 0 NOT NULL,
	`settings` text,
	`report` text,
	`position` integer DEFAULT 0 NOT NULL,
	`rows_done` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`checked_at` integer,
	`confirmed_at` integer,
	`finished_at` integer,
	`stop_reason` text
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY NOT NULL,
	`endpoint_id` integer NOT NULL,
	`event` text NOT NULL,
	`entry_id` integer,
	`data` text,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer DEFAULT 0 NOT NULL,
	`delivered_at` integer,
	`dead_at` integer,
	`reason` text
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`) WHERE "webhook_deliveries"."delivered_at" IS NULL AND "webhook_deliveries"."dead_at" IS NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_dead` ON `webhook_deliveries` (`endpoint_id`,`dead_at`) WHERE "webhook_deliveries"."dead_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`has_personal_data` integer DEFAULT false NOT NULL,
	`is_on` integer DEFAULT true NOT NULL,
	`off_reason` text,
	`secret_number` integer DEFAULT 1 NOT NULL,
	`rotated_at` integer,
	`created_at` integer NOT NULL,
	`turned_on_at` integer,
	`paused_until` integer DEFAULT 0 NOT NULL,
	`last_delivered_at` integer,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`written_on` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `fair_devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event` text NOT NULL,
	`source` text NOT NULL,
	`code_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`key_hash` text,
	`armed_at` integer,
	`public_key` text NOT NULL,
	`private_key` text,
	`revoked_at` integer,
	`closed_at` integer,
	`last_seen_at` integer,
	`received` integer DEFAULT 0 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`form_closed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `fair_devices_code_hash` ON `fair_devices` (`code_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `fair_devices_key_hash` ON `fair_devices` (`key_hash`);--> statement-breakpoint
CREATE TABLE `fair_inbox` (
	`id` text NOT NULL,
	`device_id` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`due_at` integer NOT NULL,
	`typed_at` integer NOT NULL,
	`consent_version` text NOT NULL,
	`sealed` text NOT NULL,
	PRIMARY KEY(`state`, `due_at`, `typed_at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `fair_inbox_id` ON `fair_inbox` (`id`);--> statement-breakpoint
CREATE TABLE `fair_sign_ups` (
	`id` text PRIMARY KEY NOT NULL,
	`device_id` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
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
