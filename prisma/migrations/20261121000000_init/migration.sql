-- CreateEnum
CREATE TYPE "upload_state" AS ENUM ('draft', 'saved');

-- CreateTable
CREATE TABLE "project" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upload" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "origin_id" TEXT,
    "state" "upload_state" NOT NULL,
    "name" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "encoding" TEXT,
    "line_count" INTEGER,
    "sent_sha256" TEXT NOT NULL,
    "stored_sha256" TEXT NOT NULL,
    "problems" JSONB NOT NULL,
    "cell_notes" JSONB NOT NULL,
    "given" JSONB NOT NULL,
    "left_out" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "draft_run" (
    "upload_id" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "project_id" TEXT NOT NULL,
    "imported" JSONB NOT NULL,

    CONSTRAINT "draft_run_pkey" PRIMARY KEY ("upload_id","index")
);

-- CreateTable
CREATE TABLE "run" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "upload_id" TEXT NOT NULL,
    "index_in_upload" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "form" TEXT NOT NULL,
    "scenario" TEXT NOT NULL,
    "variant" TEXT,
    "environment" TEXT,
    "labels" JSONB NOT NULL,
    "load" JSONB NOT NULL,
    "warnings" JSONB NOT NULL,
    "complete" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "started_at_source" TEXT,
    "uploaded_at" TIMESTAMPTZ(3) NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL,
    "notes" TEXT NOT NULL DEFAULT '',
    "edited" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "search_text" TEXT NOT NULL,
    "requests" DOUBLE PRECISION,
    "requests_per_second" DOUBLE PRECISION,
    "throughput_per_second" DOUBLE PRECISION,
    "min_ms" DOUBLE PRECISION,
    "mean_ms" DOUBLE PRECISION,
    "std_dev_ms" DOUBLE PRECISION,
    "p50_ms" DOUBLE PRECISION,
    "p75_ms" DOUBLE PRECISION,
    "p90_ms" DOUBLE PRECISION,
    "p95_ms" DOUBLE PRECISION,
    "p99_ms" DOUBLE PRECISION,
    "p999_ms" DOUBLE PRECISION,
    "max_ms" DOUBLE PRECISION,
    "success_ratio" DOUBLE PRECISION,
    "error_count" DOUBLE PRECISION,
    "error_ratio" DOUBLE PRECISION,
    "bytes_in" DOUBLE PRECISION,
    "bytes_out" DOUBLE PRECISION,
    "duration_ms" DOUBLE PRECISION,
    "billed_ms" DOUBLE PRECISION,
    "init_ms" DOUBLE PRECISION,
    "max_memory_used_mb" DOUBLE PRECISION,
    "imported" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" TEXT,

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_label" (
    "run_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "run_label_pkey" PRIMARY KEY ("run_id","key")
);

-- CreateTable
CREATE TABLE "histogram" (
    "run_id" TEXT NOT NULL,
    "latency_index" INTEGER NOT NULL,
    "project_id" TEXT NOT NULL,
    "buckets" JSONB,
    "v2" BYTEA,
    "unit" TEXT,

    CONSTRAINT "histogram_pkey" PRIMARY KEY ("run_id","latency_index")
);

-- CreateTable
CREATE TABLE "environment" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "attributes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cell_note" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "upload_id" TEXT,
    "scenario" TEXT NOT NULL,
    "variant" TEXT,
    "environment" TEXT,
    "text" TEXT NOT NULL,
    "line" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cell_note_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setting" (
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "upload_project_id_sent_sha256_idx" ON "upload"("project_id", "sent_sha256");

-- CreateIndex
CREATE INDEX "upload_origin_id_idx" ON "upload"("origin_id");

-- CreateIndex
CREATE INDEX "upload_stored_sha256_idx" ON "upload"("stored_sha256");

-- CreateIndex
CREATE UNIQUE INDEX "run_upload_id_index_in_upload_key" ON "run"("upload_id", "index_in_upload");

-- CreateIndex
CREATE INDEX "run_label_project_id_key_value_ordered_at_run_id_idx" ON "run_label"("project_id", "key", "value", "ordered_at" DESC, "run_id");

-- CreateIndex
CREATE UNIQUE INDEX "environment_project_id_name_key" ON "environment"("project_id", "name");

-- CreateIndex
CREATE INDEX "cell_note_project_id_idx" ON "cell_note"("project_id");

-- CreateIndex
CREATE INDEX "cell_note_upload_id_idx" ON "cell_note"("upload_id");

-- AddForeignKey
ALTER TABLE "upload" ADD CONSTRAINT "upload_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "draft_run" ADD CONSTRAINT "draft_run_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "upload"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "upload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_label" ADD CONSTRAINT "run_label_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "histogram" ADD CONSTRAINT "histogram_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "environment" ADD CONSTRAINT "environment_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cell_note" ADD CONSTRAINT "cell_note_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cell_note" ADD CONSTRAINT "cell_note_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "upload"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.

-- A deleted project gives its slug back.
CREATE UNIQUE INDEX "project_slug_key" ON "project"("slug") WHERE "deleted_at" IS NULL;

-- One index per sort key of the history: rows with a figure are read in either direction, those without one come after.
CREATE INDEX "run_history_time" ON "run"("project_id", "ordered_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_history_rps" ON "run"("project_id", "requests_per_second", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_history_p50" ON "run"("project_id", "p50_ms", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_history_p99" ON "run"("project_id", "p99_ms", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_history_max" ON "run"("project_id", "max_ms", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_history_errors" ON "run"("project_id", "error_ratio", "id") WHERE "deleted_at" IS NULL;
-- A scenario's history: the run before this one.
CREATE INDEX "run_series" ON "run"("project_id", "scenario", "ordered_at", "id") WHERE "deleted_at" IS NULL;
-- The latest runs of all projects.
CREATE INDEX "run_latest" ON "run"("ordered_at", "id") WHERE "deleted_at" IS NULL;

-- Drafts are swept by age.
CREATE INDEX "upload_drafts" ON "upload"("created_at") WHERE "state" = 'draft';

-- One user's note per cell.
CREATE UNIQUE INDEX "cell_note_user" ON "cell_note"("project_id", "scenario", COALESCE("variant", ''), COALESCE("environment", ''))
  WHERE "upload_id" IS NULL;

-- The payload is compressed already.
ALTER TABLE "histogram" ALTER COLUMN "v2" SET STORAGE EXTERNAL;
ALTER TABLE "histogram" ADD CONSTRAINT "histogram_one_kind"
  CHECK (("buckets" IS NULL) <> ("v2" IS NULL) AND ("v2" IS NULL) = ("unit" IS NULL));
