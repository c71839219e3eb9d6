-- Each change and its events are one statement: no event is lost, whatever changes the rows.
CREATE TRIGGER `webhook_joined` AFTER INSERT ON `waitlist_emails` WHEN NEW.`status` = 'active'
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'entry.joined', NEW.`id`, NULL, `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.joined"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_rejoined` AFTER UPDATE OF `status` ON `waitlist_emails` WHEN NEW.`status` = 'active' AND OLD.`status` <> 'active'
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'entry.joined', NEW.`id`, NULL, `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.joined"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_confirmed` AFTER UPDATE OF `confirmed_at` ON `waitlist_emails` WHEN NEW.`confirmed_at` IS NOT NULL AND OLD.`confirmed_at` IS NULL
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'entry.confirmed', NEW.`id`, NULL, `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.confirmed"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_unsubscribed` AFTER UPDATE OF `status` ON `waitlist_emails` WHEN NEW.`status` = 'unsubscribed' AND OLD.`status` <> 'unsubscribed'
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'entry.unsubscribed', NEW.`id`, NULL, `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.unsubscribed"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_answered` AFTER UPDATE OF `answers` ON `waitlist_emails` WHEN NEW.`answers` IS NOT OLD.`answers`
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'entry.answered', NEW.`id`, NULL, `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.answered"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_erased` AFTER DELETE ON `waitlist_emails`
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'entry.erased', OLD.`id`, NULL, `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"entry.erased"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_milestone` AFTER INSERT ON `reached_milestones`
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'milestone.reached', NEW.`entry_id`, json_object('friends', NEW.`friends`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"milestone.reached"');
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_letter` AFTER UPDATE OF `state` ON `letters` WHEN NEW.`state` = 'finished' AND OLD.`state` <> 'finished' AND NEW.`step_id` IS NULL
BEGIN
	INSERT INTO `webhook_deliveries` (`endpoint_id`, `event`, `entry_id`, `data`, `created_at`, `next_attempt_at`)
	SELECT `id`, 'letter.finished', NULL, json_object('letter_id', NEW.`id`), `now`, `now`
	FROM `webhook_endpoints`, (SELECT CAST(unixepoch('subsec') * 1000 AS integer) AS `now`) WHERE (`is_on` OR `off_reason` = 'gone') AND instr(`events`, '"letter.finished"');
END;
