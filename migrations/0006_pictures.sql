CREATE TABLE `picture_pieces` (
	`picture_key` text NOT NULL,
	`number` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`picture_key`, `number`),
	FOREIGN KEY (`picture_key`) REFERENCES `pictures`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `pictures` (
	`key` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`size` integer NOT NULL,
	`alt` text NOT NULL,
	`created_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`unused_since` integer
);
--> statement-breakpoint
CREATE INDEX `pictures_created_at` ON `pictures` (`created_at`);--> statement-breakpoint
CREATE INDEX `pictures_checked_at` ON `pictures` (`checked_at`);--> statement-breakpoint
CREATE INDEX `pictures_unused_since` ON `pictures` (`unused_since`) WHERE "pictures"."unused_since" IS NOT NULL;