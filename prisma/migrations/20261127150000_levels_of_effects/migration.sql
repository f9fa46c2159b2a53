-- By hand: nothing of the schema changes.

-- Changes that are stored have medians as their levels; the next evaluation stores those that their effect is of.
INSERT INTO "series_due" ("series_id", "only_judgement") SELECT DISTINCT "series_id", true FROM "series_watch";
