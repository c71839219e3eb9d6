-- Whoever erases an entry whose person had left by themselves, no one else adds them again: see erased_addresses. Those
-- without a reason left according to an imported file.
CREATE TRIGGER `remember_who_had_left` AFTER DELETE ON `waitlist_emails`
WHEN OLD.`status` = 'unsubscribed' AND coalesce(OLD.`unsubscribe_reason`, 'own-choice') IN ('own-choice', 'complaint')
	AND OLD.`address_hash` IS NOT NULL AND OLD.`unsubscribed_at` IS NOT NULL
BEGIN
	INSERT INTO `erased_addresses` (`address_hash`, `created_at`) VALUES (OLD.`address_hash`, OLD.`unsubscribed_at`)
	ON CONFLICT (`address_hash`) DO UPDATE SET `created_at` = max(`created_at`, excluded.`created_at`);
END;
