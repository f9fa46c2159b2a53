-- CreateTable
CREATE TABLE "series_trend" (
    "series_id" TEXT NOT NULL,
    "metric_id" TEXT NOT NULL,
    "runs" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "lines" TEXT NOT NULL,

    CONSTRAINT "series_trend_pkey" PRIMARY KEY ("series_id","runs","metric_id")
);

-- CreateTable
CREATE TABLE "series_trend_stale" (
    "id" BIGSERIAL NOT NULL,
    "series_id" TEXT NOT NULL,

    CONSTRAINT "series_trend_stale_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "series_trend_stale_series_id_idx" ON "series_trend_stale"("series_id");

-- AddForeignKey
ALTER TABLE "series_trend" ADD CONSTRAINT "series_trend_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "series_trend_stale" ADD CONSTRAINT "series_trend_stale_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.

-- What is stored of a series holds until one of its runs changes. Rows are only added, so that uploads never wait for
-- each other; and only where something is stored. Who stores holds the series' row FOR UPDATE while reading its runs: the
-- lock here waits for that one, so that either the runs were read, or what was stored is seen and said to be stale.
CREATE FUNCTION "mark_stale_trends"("changed" TEXT[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "series" WHERE "id" = ANY("changed") FOR KEY SHARE;
  INSERT INTO "series_trend_stale" ("series_id") SELECT DISTINCT one FROM unnest("changed") AS one
    WHERE EXISTS (SELECT FROM "series_trend" AS t WHERE t."series_id" = one)
      AND NOT EXISTS (SELECT FROM "series_trend_stale" AS s WHERE s."series_id" = one);
END $$;

CREATE OR REPLACE FUNCTION "mark_added_series"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "series_due" ("series_id") SELECT DISTINCT "series_id" FROM "added";
  PERFORM "mark_stale_trends"((SELECT array_agg(DISTINCT "series_id") FROM "added"));
  RETURN NULL;
END $$;

CREATE FUNCTION "mark_changed_trends"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "mark_stale_trends"(ARRAY[OLD."series_id", NEW."series_id"]);
  RETURN NULL;
END $$;

CREATE TRIGGER "run_changed_trends" AFTER UPDATE OF "project_id", "upload_id", "tool", "load", "scenario", "variant", "environment", "ordered_at", "deleted_at", "complete", "labels", "imported" ON "run"
  FOR EACH ROW EXECUTE FUNCTION "mark_changed_trends"();
