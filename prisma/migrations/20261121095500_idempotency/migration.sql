-- AlterTable
ALTER TABLE "upload" ADD COLUMN "idempotency_key" TEXT;

-- By hand from here on: what the Prisma schema cannot say.

-- Forgotten after a day, and when the upload is deleted.
CREATE UNIQUE INDEX "upload_idempotency_key" ON "upload"("project_id", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;
