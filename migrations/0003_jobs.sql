-- One table for all work that waits, in place of the deliveries of webhooks and of the leases of imports.
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` integer NOT NULL,
	`data` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`done_at` integer,
	`dead_at` integer,
	`reason` text,
	`last_status` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`kind`,`subject`,`next_attempt_at`) WHERE "jobs"."done_at" IS NULL AND "jobs"."dead_at" IS NULL;
--> statement-breakpoint
CREATE INDEX `jobs_dead` ON `jobs` (`kind`,`subject`,`dead_at`) WHERE "jobs"."dead_at" IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER `webhook_joined`;
--> statement-breakpoint
DROP TRIGGER `webhook_rejoined`;
--> statement-breakpoint
DROP TRIGGER `webhook_confirmed`;
--> statement-breakpoint
DROP TRIGGER `webhook_unsubscribed`;
--> statement-breakpoint
DROP TRIGGER `webhook_answered`;
--> statement-breakpoint
DROP TRIGGER `webhook_erased`;
--> statement-breakpoint
DROP TRIGGER `webhook_milestone`;
--> statement-breakpoint
DROP TRIGGER `webhook_letter`;
--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `subject`, `data`, `attempts`, `next_attempt_at`, `done_at`, `dead_at`, `reason`, `last_status`, `created_at`)
SELECT `id`, 'webhook', `endpoint_id`,
	json_patch(json_object('event', `event`, 'entry_id', `entry_id`), coalesce(`data`, '{}')),
	`attempts`, `next_attempt_at`, `delivered_at`, `dead_at`,
	iif(`reason` LIKE 'status-%', 'status', `reason`), iif(`reason` LIKE 'status-%', CAST(substr(`reason`, 8) AS integer), NULL), `created_at`
FROM `webhook_deliveries` WHERE `event` <> 'test';
--> statement-breakpoint
DROP TABLE `webhook_deliveries`;
--> statement-breakpoint
CREATE TRIGGER `webhook_joined` AFTER INSERT ON `waitlist_emails` WHEN NEW.`status` = 'active'
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'entry.joined', 'entry_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.joined"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_rejoined` AFTER UPDATE OF `status` ON `waitlist_emails` WHEN NEW.`status` = 'active' AND OLD.`status` <> 'active'
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'entry.joined', 'entry_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.joined"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_confirmed` AFTER UPDATE OF `confirmed_at` ON `waitlist_emails` WHEN NEW.`confirmed_at` IS NOT NULL AND OLD.`confirmed_at` IS NULL
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'entry.confirmed', 'entry_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.confirmed"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_unsubscribed` AFTER UPDATE OF `status` ON `waitlist_emails` WHEN NEW.`status` = 'unsubscribed' AND OLD.`status` <> 'unsubscribed'
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'entry.unsubscribed', 'entry_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.unsubscribed"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_answered` AFTER UPDATE OF `answers` ON `waitlist_emails` WHEN NEW.`answers` IS NOT OLD.`answers`
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'entry.answered', 'entry_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.answered"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_erased` AFTER DELETE ON `waitlist_emails`
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'entry.erased', 'entry_id', OLD.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.erased"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_milestone` AFTER INSERT ON `reached_milestones`
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'milestone.reached', 'entry_id', NEW.`entry_id`, 'friends', NEW.`friends`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"milestone.reached"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_letter` AFTER UPDATE OF `state` ON `letters` WHEN NEW.`state` = 'finished' AND OLD.`state` <> 'finished' AND NEW.`step_id` IS NULL
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'letter.finished', 'letter_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"letter.finished"');
END;
--> statement-breakpoint
INSERT INTO `jobs` (`kind`, `subject`, `attempts`, `next_attempt_at`, `created_at`)
SELECT 'import', `id`, `failures`, `leased_until`, `confirmed_at` FROM `imports` WHERE `state` = 'running';
--> statement-breakpoint
INSERT INTO `jobs` (`kind`, `subject`, `next_attempt_at`, `created_at`)
SELECT 'change', `id`, `confirmed_at`, `confirmed_at` FROM `bulk_actions` WHERE `state` = 'running';
--> statement-breakpoint
INSERT INTO `jobs` (`kind`, `subject`, `next_attempt_at`, `created_at`)
SELECT 'fair', `device_id`, min(`due_at`), min(`due_at`) FROM `fair_inbox` WHERE `state` = 'due' GROUP BY `device_id`;
--> statement-breakpoint
CREATE TABLE `__new_fair_inbox` (
	`id` text NOT NULL,
	`device_id` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`changed_at` integer NOT NULL,
	`typed_at` integer NOT NULL,
	`consent_version` text NOT NULL,
	`sealed` text NOT NULL,
	PRIMARY KEY(`device_id`, `state`, `typed_at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_fair_inbox`("id", "device_id", "state", "reason", "changed_at", "typed_at", "consent_version", "sealed") SELECT "id", "device_id", "state", "reason", "due_at", "typed_at", "consent_version", "sealed" FROM `fair_inbox`;
--> statement-breakpoint
DROP TABLE `fair_inbox`;
--> statement-breakpoint
ALTER TABLE `__new_fair_inbox` RENAME TO `fair_inbox`;
--> statement-breakpoint
CREATE UNIQUE INDEX `fair_inbox_id` ON `fair_inbox` (`id`);
--> statement-breakpoint
ALTER TABLE `bulk_actions` ADD `changed_today` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `bulk_actions` ADD `changed_on` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `bulk_actions` DROP COLUMN `rows_written`;
--> statement-breakpoint
ALTER TABLE `bulk_actions` DROP COLUMN `written_on`;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `failing_since` integer;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `attempts_today` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `attempts_on` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` DROP COLUMN `turned_on_at`;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` DROP COLUMN `rows_written`;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` DROP COLUMN `written_on`;
--> statement-breakpoint
ALTER TABLE `imports` ADD `imported_today` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `imports` ADD `imported_on` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `imports` DROP COLUMN `failures`;
--> statement-breakpoint
ALTER TABLE `imports` DROP COLUMN `leased_until`;
--> statement-breakpoint
UPDATE `imports` SET `stop_reason` = iif(`stop_reason` = 'failures', 'failed', 'interrupted') WHERE `stop_reason` IN ('failures', 'killed');
--> statement-breakpoint
ALTER TABLE `page_visits` DROP COLUMN `writes`;
--> statement-breakpoint
ALTER TABLE `page_visits` DROP COLUMN `written_on`;
--> statement-breakpoint
ALTER TABLE `blocked_attempts` DROP COLUMN `writes`;
