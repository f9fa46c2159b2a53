-- A series whose code never changes: what it measures is its environment.
ALTER TABLE "series" ADD COLUMN "is_control" BOOLEAN NOT NULL DEFAULT false;
