-- AlterTable
ALTER TABLE "upload" ADD COLUMN "keep_secrets" BOOLEAN NOT NULL DEFAULT false;
