ALTER TABLE `waitlist_emails` ADD `answers` text;--> statement-breakpoint
UPDATE `waitlist_emails` SET `answers` = json_object('role', `role`) WHERE `role` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `waitlist_emails` DROP COLUMN `role`;--> statement-breakpoint
UPDATE `letters` SET `audience` = json_remove(json_set(`audience`, '$.filter.answers', json_object('role',
  CASE `audience` ->> '$.filter.role' WHEN 'none' THEN NULL ELSE `audience` ->> '$.filter.role' END)), '$.filter.role')
  WHERE `audience` ->> '$.filter.role' IS NOT NULL;--> statement-breakpoint
UPDATE `imports` SET `settings` = replace(`settings`, '"role"', '"answer_role"') WHERE `settings` IS NOT NULL;--> statement-breakpoint
UPDATE `imports` SET `report` = replace(`report`, '"role"', '"answer_role"') WHERE `report` IS NOT NULL;
