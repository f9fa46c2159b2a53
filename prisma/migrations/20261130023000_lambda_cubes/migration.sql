-- Invocations in logs of Lambda have cubes now: those that are stored wait for theirs.
INSERT INTO "cube_due" ("upload_id", "due_at")
SELECT "id", "created_at" FROM "upload" WHERE "state" = 'saved' AND "raw_removed_at" IS NULL AND "id" IN (
  SELECT "upload_id" FROM "run" WHERE "form" IN ('lambda-log-file', 'lambda-json', 'lambda-insights-csv')
)
ON CONFLICT ("upload_id") DO NOTHING;
