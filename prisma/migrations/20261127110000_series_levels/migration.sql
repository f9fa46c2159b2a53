-- AlterTable
ALTER TABLE "series_watch" ADD COLUMN     "changes" JSONB NOT NULL DEFAULT '{}';

-- By hand from here on: what the Prisma schema cannot say.

-- Histories that exist: the next evaluation of each series says its changes; until then they are found as a page opens.
INSERT INTO "series_due" ("series_id", "only_judgement") SELECT DISTINCT "series_id", true FROM "series_watch";
