-- The run that is made of this one and others; this one is deleted meanwhile (by: merge), and goes with it for good.
ALTER TABLE "run" ADD COLUMN "merged_into_id" TEXT;

ALTER TABLE "run" ADD CONSTRAINT "run_merged_into_id_fkey" FOREIGN KEY ("merged_into_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Few runs are parts of others.
CREATE INDEX "run_parts" ON "run"("merged_into_id") WHERE "merged_into_id" IS NOT NULL;
