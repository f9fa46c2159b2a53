-- A run that goes to another project changes the series that it leaves and the one that it joins, too.
DROP TRIGGER "run_changed_series_due" ON "run";
CREATE TRIGGER "run_changed_series_due" AFTER UPDATE OF "project_id", "scenario", "variant", "environment", "ordered_at", "deleted_at", "complete", "labels", "imported" ON "run"
  FOR EACH ROW EXECUTE FUNCTION "mark_changed_series"();
