-- Finds the runs of the same attack in another form: they have as many requests.
CREATE INDEX "run_requests" ON "run"("project_id", "requests", "id") WHERE "deleted_at" IS NULL;
