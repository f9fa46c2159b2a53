-- A series is deleted only if no run refers to it: without an index of all runs, trashed ones too, each series reads
-- all of them.
CREATE INDEX "run_of_series" ON "run"("series_id");
