ALTER TABLE `erasures` RENAME TO `bulk_actions`;--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`order` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`name`);--> statement-breakpoint
ALTER TABLE `bulk_actions` ADD `kind` text DEFAULT 'erase' NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_actions` ADD `undoes` integer;--> statement-breakpoint
ALTER TABLE `bulk_actions` RENAME COLUMN `erased` TO `affected`;--> statement-breakpoint
UPDATE `owner_log` SET `details` = replace(`details`, '"erasureId":', '"bulkActionId":') WHERE `action` IN ('erase-many', 'stop-erasing');--> statement-breakpoint
ALTER TABLE `waitlist_emails` ADD `bulk_action_id` integer;