-- What tells the people whom an import added and no one has touched since from the others.
ALTER TABLE `waitlist_emails` ADD `changed_at` integer;
--> statement-breakpoint
-- Imported people with one of these may have been changed since they were added: undoing an earlier import leaves them alone.
UPDATE `waitlist_emails` SET `changed_at` = CAST(unixepoch('subsec') * 1000 AS integer)
WHERE `import_id` IS NOT NULL AND (`answers` IS NOT NULL OR `owner_note` IS NOT NULL OR `confirmed_at` IS NOT NULL);
--> statement-breakpoint
ALTER TABLE `imports` ADD `unsubscribed` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER `remember_who_had_left`;
--> statement-breakpoint
-- Whoever erases an entry whose person had left by themselves, no one else adds them again: see erased_addresses. Those
-- without a reason left according to an imported file, and so did those with the reason `import`.
CREATE TRIGGER `remember_who_had_left` AFTER DELETE ON `waitlist_emails`
WHEN OLD.`status` = 'unsubscribed' AND coalesce(OLD.`unsubscribe_reason`, 'own-choice') IN ('own-choice', 'complaint', 'import')
	AND OLD.`address_hash` IS NOT NULL AND OLD.`unsubscribed_at` IS NOT NULL
BEGIN
	INSERT INTO `erased_addresses` (`address_hash`, `created_at`) VALUES (OLD.`address_hash`, OLD.`unsubscribed_at`)
	ON CONFLICT (`address_hash`) DO UPDATE SET `created_at` = max(`created_at`, excluded.`created_at`);
END;
--> statement-breakpoint
-- Of imports that were confirmed, their page shows only these numbers from now on. Other files wait a day at most.
UPDATE `imports` SET `report` = json_object('rows', `report` ->> 'rows', 'people', `report` ->> 'ready',
	'leftOut', `report` ->> 'leftOut', 'problems', json('{}'), 'first', json('[]'))
WHERE `confirmed_at` IS NOT NULL;
--> statement-breakpoint
DELETE FROM `imports` WHERE `confirmed_at` IS NULL;
