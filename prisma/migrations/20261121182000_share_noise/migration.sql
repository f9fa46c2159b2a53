-- AlterTable
ALTER TABLE "share" ADD COLUMN "noise" JSONB NOT NULL DEFAULT '[]';
