CREATE TABLE `links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page` text NOT NULL,
	`utm_source` text NOT NULL,
	`utm_medium` text NOT NULL,
	`utm_campaign` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_labels` ON `links` (`page`,`utm_source`,`utm_medium`,`utm_campaign`);
--> statement-breakpoint
-- The links of the last 12 months, once each, as they were first made.
INSERT INTO `links` (`page`, `utm_source`, `utm_medium`, `utm_campaign`, `actor`, `created_at`)
SELECT `details` ->> 'page', `details` ->> 'utm_source', coalesce(`details` ->> 'utm_medium', ''), coalesce(`details` ->> 'utm_campaign', ''), `actor`, min(`created_at`)
FROM `owner_log` WHERE `action` = 'make-link' AND `details` ->> 'page' IS NOT NULL AND `details` ->> 'utm_source' IS NOT NULL
GROUP BY 1, 2, 3, 4 ORDER BY min(`created_at`);
