-- Counters for the owner's figures. Triggers keep them within the statement that they count, so they cannot go astray,
-- and a sign-up makes no round trip for them. First what is there already.
INSERT INTO counts (subject, name, count) SELECT 'entries', 'joined', count(*) FROM waitlist_emails WHERE true HAVING count(*) > 0;
--> statement-breakpoint
INSERT INTO counts (subject, name, count) SELECT 'entries', status, count(*) FROM waitlist_emails GROUP BY status;
--> statement-breakpoint
INSERT INTO counts (subject, name, count) SELECT 'source', source, count(*) FROM waitlist_emails GROUP BY source;
--> statement-breakpoint
INSERT INTO counts (subject, name, count) SELECT 'campaign', coalesce(utm_campaign, ''), count(*) FROM waitlist_emails GROUP BY 2;
--> statement-breakpoint
INSERT INTO counts (subject, name, count)
  SELECT 'mail', CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN dead_at IS NOT NULL THEN 'dead' ELSE 'waiting' END, count(*)
  FROM mail_outbox GROUP BY 2;
--> statement-breakpoint
INSERT INTO sign_up_counts (quarter, people) SELECT created_at / 900000, count(*) FROM waitlist_emails GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER count_new_entry AFTER INSERT ON waitlist_emails BEGIN
  INSERT INTO sign_up_counts (quarter, people) VALUES (new.created_at / 900000, 1)
    ON CONFLICT (quarter) DO UPDATE SET people = people + 1;
  INSERT INTO counts (subject, name, count) VALUES
      ('entries', 'joined', 1),
      ('entries', new.status, 1),
      ('source', new.source, 1),
      ('campaign', coalesce(new.utm_campaign, ''), 1)
    ON CONFLICT (subject, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER count_changed_entry AFTER UPDATE OF status ON waitlist_emails WHEN old.status <> new.status BEGIN
  UPDATE counts SET count = count - 1 WHERE subject = 'entries' AND name = old.status;
  INSERT INTO counts (subject, name, count) VALUES ('entries', new.status, 1)
    ON CONFLICT (subject, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
-- A name that only erased entries bore is forgotten with them: strangers chose it.
CREATE TRIGGER count_erased_entry AFTER DELETE ON waitlist_emails BEGIN
  INSERT INTO counts (subject, name, count) VALUES ('entries', 'erased', 1)
    ON CONFLICT (subject, name) DO UPDATE SET count = count + 1;
  UPDATE counts SET count = count - 1 WHERE subject = 'entries' AND name = old.status;
  UPDATE counts SET count = count - 1 WHERE subject = 'source' AND name = old.source;
  UPDATE counts SET count = count - 1 WHERE subject = 'campaign' AND name = coalesce(old.utm_campaign, '');
  DELETE FROM counts WHERE subject = 'source' AND name = old.source AND count = 0;
  DELETE FROM counts WHERE subject = 'campaign' AND name = coalesce(old.utm_campaign, '') AND count = 0;
END;
--> statement-breakpoint
CREATE TRIGGER count_owed_mail AFTER INSERT ON mail_outbox BEGIN
  INSERT INTO counts (subject, name, count) VALUES
      ('mail', CASE WHEN new.sent_at IS NOT NULL THEN 'sent' WHEN new.dead_at IS NOT NULL THEN 'dead' ELSE 'waiting' END, 1)
    ON CONFLICT (subject, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
-- Mail that was sent once stays counted as sent, whatever becomes of its row.
CREATE TRIGGER count_changed_mail AFTER UPDATE OF sent_at, dead_at ON mail_outbox
  WHEN CASE WHEN old.sent_at IS NOT NULL THEN 'sent' WHEN old.dead_at IS NOT NULL THEN 'dead' ELSE 'waiting' END
    <> CASE WHEN new.sent_at IS NOT NULL THEN 'sent' WHEN new.dead_at IS NOT NULL THEN 'dead' ELSE 'waiting' END BEGIN
  UPDATE counts SET count = count - 1
    WHERE subject = 'mail' AND old.sent_at IS NULL AND name = iif(old.dead_at IS NULL, 'waiting', 'dead');
  INSERT INTO counts (subject, name, count) VALUES
      ('mail', CASE WHEN new.sent_at IS NOT NULL THEN 'sent' WHEN new.dead_at IS NOT NULL THEN 'dead' ELSE 'waiting' END, 1)
    ON CONFLICT (subject, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER count_erased_mail AFTER DELETE ON mail_outbox WHEN old.sent_at IS NULL BEGIN
  UPDATE counts SET count = count - 1 WHERE subject = 'mail' AND name = iif(old.dead_at IS NULL, 'waiting', 'dead');
END;
