-- AlterTable
ALTER TABLE "share" ADD COLUMN "side_sizes" INTEGER[];
