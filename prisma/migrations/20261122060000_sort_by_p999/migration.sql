-- By hand: lists of runs are sorted by p99.9 and narrowed to a range of it, with the indices that every sort key has. The
-- column is filled when a run is saved, since the first version: there is nothing to fill here.
CREATE INDEX "run_history_p999" ON "run"("project_id", "p999_ms", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_scenario_p999" ON "run"("project_id", "scenario", "p999_ms", "id") WHERE "deleted_at" IS NULL;
DROP INDEX "run_history_time";
CREATE INDEX "run_history_time" ON "run"("project_id", "ordered_at", "id")
  INCLUDE ("series_id", "requests_per_second", "p50_ms", "p99_ms", "p999_ms", "max_ms", "error_ratio") WHERE "deleted_at" IS NULL;
