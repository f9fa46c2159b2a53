-- AlterTable
ALTER TABLE "project" ADD COLUMN "keep_raw_days" INTEGER,
ADD COLUMN "keep_runs_days" INTEGER;

-- AlterTable
ALTER TABLE "upload" ADD COLUMN "raw_removed_at" TIMESTAMPTZ(3);

-- By hand from here on: what the Prisma schema cannot say.

-- The trash of a project, newest first; the server empties it by age.
CREATE INDEX "run_trash" ON "run"("project_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "upload_trash" ON "upload"("project_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;

-- Raw files that retention may still remove.
CREATE INDEX "upload_raw" ON "upload"("project_id", "created_at") WHERE "state" = 'saved' AND "raw_removed_at" IS NULL;

ALTER TABLE "project" ADD CONSTRAINT "project_keep_days_check" CHECK ("keep_raw_days" BETWEEN 1 AND 36500 AND "keep_runs_days" BETWEEN 1 AND 36500);
