-- By hand: runs of one state sorted by a figure, where few or none of them have it; and the states of one scenario by time.
-- Most runs are as expected: walking the indices of all runs finds those. A run is in none of these while it is saved.
CREATE INDEX "run_state_rps" ON "run"("project_id", "judged_state", "requests_per_second", "id") WHERE "deleted_at" IS NULL AND "judged_state" <> 'as-expected';
CREATE INDEX "run_state_p50" ON "run"("project_id", "judged_state", "p50_ms", "id") WHERE "deleted_at" IS NULL AND "judged_state" <> 'as-expected';
CREATE INDEX "run_state_p99" ON "run"("project_id", "judged_state", "p99_ms", "id") WHERE "deleted_at" IS NULL AND "judged_state" <> 'as-expected';
CREATE INDEX "run_state_p999" ON "run"("project_id", "judged_state", "p999_ms", "id") WHERE "deleted_at" IS NULL AND "judged_state" <> 'as-expected';
CREATE INDEX "run_state_max" ON "run"("project_id", "judged_state", "max_ms", "id") WHERE "deleted_at" IS NULL AND "judged_state" <> 'as-expected';
CREATE INDEX "run_state_errors" ON "run"("project_id", "judged_state", "error_ratio", "id") WHERE "deleted_at" IS NULL AND "judged_state" <> 'as-expected';
CREATE INDEX "run_scenario_state" ON "run"("project_id", "scenario", "judged_state", "ordered_at", "id") WHERE "deleted_at" IS NULL AND "judged_state" <> 'as-expected';
