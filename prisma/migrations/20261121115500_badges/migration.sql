-- CreateTable
CREATE TABLE "badge" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "series_id" TEXT NOT NULL,
    "metric_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "token_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "badge_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "badge_token_sha256_key" ON "badge"("token_sha256");

-- CreateIndex
CREATE INDEX "badge_series_id_idx" ON "badge"("series_id");

-- AddForeignKey
ALTER TABLE "badge" ADD CONSTRAINT "badge_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE;
