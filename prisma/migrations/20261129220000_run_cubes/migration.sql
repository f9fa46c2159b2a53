CREATE TABLE "run_cube" (
    "run_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "cube" BYTEA,

    CONSTRAINT "run_cube_pkey" PRIMARY KEY ("run_id")
);

CREATE TABLE "cube_due" (
    "upload_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cube_due_pkey" PRIMARY KEY ("upload_id")
);

CREATE INDEX "run_cube_version_idx" ON "run_cube"("version");

CREATE INDEX "cube_due_due_at_idx" ON "cube_due"("due_at");

ALTER TABLE "run_cube" ADD CONSTRAINT "run_cube_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "cube_due" ADD CONSTRAINT "cube_due_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "upload"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.

-- It is deflated already.
ALTER TABLE "run_cube" ALTER COLUMN "cube" SET STORAGE EXTERNAL;

-- Runs that are stored wait for their cubes, if their forms have rows. Newest uploads come first.
INSERT INTO "cube_due" ("upload_id", "due_at")
SELECT "id", "created_at" FROM "upload" WHERE "state" = 'saved' AND "raw_removed_at" IS NULL AND "id" IN (
  SELECT "upload_id" FROM "run" WHERE "form" IN (
    'vegeta-gob', 'vegeta-csv', 'vegeta-results-json', 'hey-csv', 'oha-csv', 'k6-ndjson', 'k6-csv', 'jmeter-csv', 'jmeter-xml',
    'h2load-log', 'ab-times-tsv', 'ghz-json', 'ghz-csv'
  ) OR "form" LIKE 'mapped-%'
);
