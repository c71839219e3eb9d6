CREATE TABLE `entry_changes` (
	`at` integer PRIMARY KEY NOT NULL,
	`entry_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `entry_changed` AFTER UPDATE OF `email`, `source`, `status`, `utm_source`, `utm_medium`, `utm_campaign`, `utm_term`, `utm_content`, `referrer_host`, `answers`, `unsubscribed_at`, `unsubscribe_reason`, `consent_version`, `consent_at`, `consent_note`, `import_id`, `owner_note`, `confirm_by`, `confirmed_at`, `invited_at`, `address_changed_at`, `disposable` ON `waitlist_emails`
WHEN (NEW.`email`, NEW.`source`, NEW.`status`, NEW.`utm_source`, NEW.`utm_medium`, NEW.`utm_campaign`, NEW.`utm_term`, NEW.`utm_content`, NEW.`referrer_host`, NEW.`answers`, NEW.`unsubscribed_at`, NEW.`unsubscribe_reason`, NEW.`consent_version`, NEW.`consent_at`, NEW.`consent_note`, NEW.`import_id`, NEW.`owner_note`, NEW.`confirm_by`, NEW.`confirmed_at`, NEW.`invited_at`, NEW.`address_changed_at`, NEW.`disposable`) IS NOT
	(OLD.`email`, OLD.`source`, OLD.`status`, OLD.`utm_source`, OLD.`utm_medium`, OLD.`utm_campaign`, OLD.`utm_term`, OLD.`utm_content`, OLD.`referrer_host`, OLD.`answers`, OLD.`unsubscribed_at`, OLD.`unsubscribe_reason`, OLD.`consent_version`, OLD.`consent_at`, OLD.`consent_note`, OLD.`import_id`, OLD.`owner_note`, OLD.`confirm_by`, OLD.`confirmed_at`, OLD.`invited_at`, OLD.`address_changed_at`, OLD.`disposable`)
BEGIN
	INSERT INTO `entry_changes` (`at`, `entry_id`)
	SELECT max(CAST(unixepoch('subsec') * 1000 AS integer), 1 + coalesce((SELECT max(`at`) FROM `entry_changes`), 0)), NEW.`id`
	WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `revoked_at` IS NULL AND instr(`scopes`, '"entries:read"'));
END;
--> statement-breakpoint
CREATE TRIGGER `entry_erased` AFTER DELETE ON `waitlist_emails`
BEGIN
	INSERT INTO `entry_changes` (`at`, `entry_id`)
	SELECT max(CAST(unixepoch('subsec') * 1000 AS integer), 1 + coalesce((SELECT max(`at`) FROM `entry_changes`), 0)), OLD.`id`
	WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `revoked_at` IS NULL AND instr(`scopes`, '"entries:read"'));
END;
--> statement-breakpoint
-- An import and a tablet without network bring the time of joining with them. Everyone else is found by it.
CREATE TRIGGER `entry_added_late` AFTER INSERT ON `waitlist_emails`
WHEN NEW.`created_at` < unixepoch('subsec') * 1000 - 60000
BEGIN
	INSERT INTO `entry_changes` (`at`, `entry_id`)
	SELECT max(CAST(unixepoch('subsec') * 1000 AS integer), 1 + coalesce((SELECT max(`at`) FROM `entry_changes`), 0)), NEW.`id`
	WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `revoked_at` IS NULL AND instr(`scopes`, '"entries:read"'));
END;
--> statement-breakpoint
CREATE TRIGGER `entry_first_friend` AFTER INSERT ON `referrers` WHEN NEW.`counted` > 0
BEGIN
	INSERT INTO `entry_changes` (`at`, `entry_id`)
	SELECT max(CAST(unixepoch('subsec') * 1000 AS integer), 1 + coalesce((SELECT max(`at`) FROM `entry_changes`), 0)), NEW.`entry_id`
	WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `revoked_at` IS NULL AND instr(`scopes`, '"entries:read"'));
END;
--> statement-breakpoint
CREATE TRIGGER `entry_friends` AFTER UPDATE OF `counted` ON `referrers` WHEN NEW.`counted` <> OLD.`counted`
BEGIN
	INSERT INTO `entry_changes` (`at`, `entry_id`)
	SELECT max(CAST(unixepoch('subsec') * 1000 AS integer), 1 + coalesce((SELECT max(`at`) FROM `entry_changes`), 0)), NEW.`entry_id`
	WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `revoked_at` IS NULL AND instr(`scopes`, '"entries:read"'));
END;
--> statement-breakpoint
CREATE TRIGGER `entry_email_failed` AFTER UPDATE OF `dead_at`, `soft_bounced_at` ON `email_outbox`
WHEN NEW.`entry_id` IS NOT NULL AND (NEW.`dead_at`, NEW.`soft_bounced_at`) IS NOT (OLD.`dead_at`, OLD.`soft_bounced_at`)
BEGIN
	INSERT INTO `entry_changes` (`at`, `entry_id`)
	SELECT max(CAST(unixepoch('subsec') * 1000 AS integer), 1 + coalesce((SELECT max(`at`) FROM `entry_changes`), 0)), NEW.`entry_id`
	WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `revoked_at` IS NULL AND instr(`scopes`, '"entries:read"'));
END;
--> statement-breakpoint
CREATE TRIGGER `entry_letter_failed` AFTER UPDATE OF `state`, `bounced_at` ON `letter_recipients`
WHEN NEW.`entry_id` IS NOT NULL AND ((NEW.`state` <> OLD.`state` AND NEW.`state` IN ('failed', 'unknown'))
	OR NEW.`bounced_at` IS NOT OLD.`bounced_at`)
BEGIN
	INSERT INTO `entry_changes` (`at`, `entry_id`)
	SELECT max(CAST(unixepoch('subsec') * 1000 AS integer), 1 + coalesce((SELECT max(`at`) FROM `entry_changes`), 0)), NEW.`entry_id`
	WHERE EXISTS (SELECT 1 FROM `api_keys` WHERE `revoked_at` IS NULL AND instr(`scopes`, '"entries:read"'));
END;
