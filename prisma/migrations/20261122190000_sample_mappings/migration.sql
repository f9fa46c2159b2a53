-- How files of somebody's own samples are read: which column is what.
CREATE TABLE "sample_mapping" (
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "set_by_id" TEXT,
    "set_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sample_mapping_pkey" PRIMARY KEY ("project_id", "name")
);

CREATE INDEX "sample_mapping_set_by_id_idx" ON "sample_mapping"("set_by_id");

ALTER TABLE "sample_mapping" ADD CONSTRAINT "sample_mapping_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "sample_mapping" ADD CONSTRAINT "sample_mapping_set_by_id_fkey" FOREIGN KEY ("set_by_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
