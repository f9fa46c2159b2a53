-- By hand: nothing of the schema changes.

-- Changes are stored with the settings that they were looked for by. The next evaluation of each series stores them so;
-- until then they are found as a page opens: nothing is read of what an earlier version stored.
INSERT INTO "series_due" ("series_id", "only_judgement") SELECT DISTINCT "series_id", true FROM "series_watch";
