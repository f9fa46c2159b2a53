-- How far uploads are that somebody watches, for the instances that do not receive them. Lost in a crash, like the uploads.
CREATE UNLOGGED TABLE "upload_progress" (
    "project_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "received_bytes" BIGINT NOT NULL,
    "read_bytes" BIGINT NOT NULL,
    "is_storing" BOOLEAN NOT NULL,
    "is_cancelled" BOOLEAN NOT NULL,
    "upload_id" TEXT,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "upload_progress_pkey" PRIMARY KEY ("project_id", "id")
);
