ALTER TABLE `blocked_attempts` ADD `writes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `page_visits` ADD `names` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `page_visits` ADD `writes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `page_visits` ADD `written_on` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `page_visits` ADD `rankings` integer DEFAULT 0 NOT NULL;