ALTER TABLE `waitlist_emails` ADD `address_changed_at` integer;
--> statement-breakpoint
CREATE TRIGGER `webhook_changed` AFTER UPDATE OF `email` ON `waitlist_emails` WHEN NEW.`email` <> OLD.`email`
BEGIN
	INSERT INTO `jobs` (`kind`, `subject`, `data`, `created_at`, `next_attempt_at`)
	SELECT 'webhook', `id`, json_object('event', 'entry.changed', 'entry_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.changed"');
END;
