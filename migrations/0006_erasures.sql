CREATE TABLE `erasures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`state` text DEFAULT 'running' NOT NULL,
	`filter` text NOT NULL,
	`search` text,
	`time_zone` text NOT NULL,
	`newest_entry_id` integer NOT NULL,
	`expected` integer NOT NULL,
	`erased` integer DEFAULT 0 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`written_on` text DEFAULT '' NOT NULL,
	`confirmed_at` integer NOT NULL,
	`finished_at` integer
);
