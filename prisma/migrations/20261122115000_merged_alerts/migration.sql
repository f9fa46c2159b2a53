-- The earlier alert that reports the changes of one whose place turned out to be the same. Null: it stands for itself.
ALTER TABLE "alert" ADD COLUMN "merged_into_id" TEXT;

CREATE INDEX "alert_merged_into_id_idx" ON "alert"("merged_into_id");

ALTER TABLE "alert" ADD CONSTRAINT "alert_merged_into_id_fkey" FOREIGN KEY ("merged_into_id") REFERENCES "alert"("id") ON DELETE SET NULL ON UPDATE CASCADE;
