-- What is said of each run against its series (lib/run/judgement.ts), and what takes part in a series.
ALTER TABLE "run"
  ADD COLUMN "candidate" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "counted" BOOLEAN,
  ADD COLUMN "guards" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "guards_version" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "in_series" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "judged_state" TEXT,
  ADD COLUMN "judged_sentence" TEXT,
  ADD COLUMN "judgement" JSONB,
  ADD COLUMN "judgement_basis" TEXT;
UPDATE "run" SET "in_series" = false WHERE NOT "complete";

-- By hand: lists of runs are narrowed to a state, newest first.
CREATE INDEX "run_history_state" ON "run"("project_id", "judged_state", "ordered_at", "id") WHERE "deleted_at" IS NULL;

-- Judged again without an evaluation of the series: a person closed an alert, or a rule was changed.
ALTER TABLE "series_due" ADD COLUMN "only_judgement" BOOLEAN NOT NULL DEFAULT false;

DROP TRIGGER "run_changed_series_due" ON "run";
CREATE TRIGGER "run_changed_series_due" AFTER UPDATE OF "project_id", "scenario", "variant", "environment", "ordered_at", "deleted_at", "complete", "in_series", "candidate", "labels", "imported" ON "run"
  FOR EACH ROW EXECUTE FUNCTION "mark_changed_series"();
DROP TRIGGER "run_changed_trends" ON "run";
CREATE TRIGGER "run_changed_trends" AFTER UPDATE OF "project_id", "upload_id", "tool", "load", "scenario", "variant", "environment", "ordered_at", "deleted_at", "complete", "in_series", "guards", "labels", "imported" ON "run"
  FOR EACH ROW EXECUTE FUNCTION "mark_changed_trends"();

-- The runs that are there already are judged by the next evaluation of their series.
INSERT INTO "series_due" ("series_id") SELECT "id" FROM "series";
