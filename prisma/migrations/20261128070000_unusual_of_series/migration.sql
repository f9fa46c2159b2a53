-- By hand: an index and a function that Prisma's schema cannot express.

-- The board reads the unusual runs of each of its series: they are few, however long the series.
CREATE INDEX "run_series_unusual" ON "run"("series_id", "ordered_at" DESC, "id" DESC) WHERE "judged_state" = 'unusual' AND "deleted_at" IS NULL;

-- Whether a project has an upload of these bytes. The second of two equal uploads waits here until the first is stored,
-- and then finds it: each statement of the function sees what was committed before that statement.
CREATE FUNCTION "await_same_upload"("of_project" TEXT, "sha256" TEXT) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended("of_project" || ' ' || "sha256", 0));
  RETURN EXISTS (SELECT FROM "upload" WHERE "project_id" = "of_project" AND "sent_sha256" = "sha256");
END $$;
