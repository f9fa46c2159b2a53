-- CreateTable
CREATE TABLE "share" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "token_sha256" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "run_ids" TEXT[],
    "view" TEXT NOT NULL DEFAULT '',
    "notes" TEXT NOT NULL DEFAULT '',
    "include_raw" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "view_count" INTEGER NOT NULL DEFAULT 0,
    "last_viewed_at" TIMESTAMPTZ(3),

    CONSTRAINT "share_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "share_token_sha256_key" ON "share"("token_sha256");

-- CreateIndex
CREATE INDEX "share_project_id_created_at_idx" ON "share"("project_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "share" ADD CONSTRAINT "share_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
