-- AlterTable
ALTER TABLE "share" ADD COLUMN "cell_notes" JSONB NOT NULL DEFAULT '[]';
