-- CreateTable
CREATE TABLE "series" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "scenario" TEXT NOT NULL,
    "variant" TEXT,
    "environment" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "series_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "run" ADD COLUMN "series_id" TEXT NOT NULL DEFAULT '';

-- AddForeignKey
ALTER TABLE "series" ADD CONSTRAINT "series_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.

-- The names are the key; a missing variant or environment is one value like any other.
CREATE UNIQUE INDEX "series_key" ON "series"("project_id", "scenario", "variant", "environment") NULLS NOT DISTINCT;

-- The database itself puts a run into its series, whoever writes the run: no way to save, edit, move or re-import one
-- can forget it. The id is of the form that prisma/rows/ids.ts accepts; 104 bits of it are random.
CREATE FUNCTION "join_series"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found TEXT;
BEGIN
  LOOP
    SELECT "id" INTO found FROM "series"
    WHERE "project_id" = NEW."project_id" AND "scenario" = NEW."scenario"
      AND "variant" IS NOT DISTINCT FROM NEW."variant" AND "environment" IS NOT DISTINCT FROM NEW."environment";
    EXIT WHEN found IS NOT NULL;
    INSERT INTO "series" ("id", "project_id", "scenario", "variant", "environment")
    VALUES (substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), NEW."project_id", NEW."scenario", NEW."variant", NEW."environment")
    ON CONFLICT DO NOTHING;
  END LOOP;
  NEW."series_id" := found;
  RETURN NEW;
END $$;

CREATE TRIGGER "run_joins_series" BEFORE INSERT OR UPDATE OF "project_id", "scenario", "variant", "environment" ON "run"
  FOR EACH ROW EXECUTE FUNCTION "join_series"();

-- The runs that are there already.
UPDATE "run" SET "scenario" = "scenario";

ALTER TABLE "run" ADD CONSTRAINT "run_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A series' runs, newest first; it also finds the run before another one, which "run_series" was for.
CREATE INDEX "run_series_time" ON "run"("series_id", "ordered_at", "id") WHERE "deleted_at" IS NULL;
DROP INDEX "run_series";
