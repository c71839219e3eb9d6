CREATE TABLE `settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`stored` text NOT NULL,
	`saved_at` integer NOT NULL
);
