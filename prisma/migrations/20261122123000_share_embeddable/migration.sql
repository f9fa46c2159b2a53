-- AlterTable
ALTER TABLE "share" ADD COLUMN "embeddable" BOOLEAN NOT NULL DEFAULT false;
