-- CreateTable
CREATE TABLE "series_watch" (
    "series_id" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "watched" JSONB NOT NULL,
    "detector_version" TEXT NOT NULL,
    "evaluated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "series_watch_pkey" PRIMARY KEY ("series_id","profile")
);

-- CreateTable
CREATE TABLE "series_due" (
    "id" BIGSERIAL NOT NULL,
    "series_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "series_due_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "series_id" TEXT,
    "cause" TEXT,
    "findings" JSONB NOT NULL,
    "parameters" JSONB NOT NULL,
    "raised_run_id" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_step" (
    "id" TEXT NOT NULL,
    "alert_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "who" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_step_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "series_due_series_id_id_idx" ON "series_due"("series_id", "id");

-- CreateIndex
CREATE INDEX "alert_project_id_state_opened_at_idx" ON "alert"("project_id", "state", "opened_at" DESC);

-- CreateIndex
CREATE INDEX "alert_series_id_idx" ON "alert"("series_id");

-- CreateIndex
CREATE INDEX "alert_step_alert_id_at_idx" ON "alert_step"("alert_id", "at");

-- AddForeignKey
ALTER TABLE "series_watch" ADD CONSTRAINT "series_watch_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "series_due" ADD CONSTRAINT "series_due_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_step" ADD CONSTRAINT "alert_step_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.

-- A series is due for a look from the very transaction that changed its runs: a kill between the two loses nothing.
-- Rows are only added here, never updated, so that uploads never wait for each other.
CREATE FUNCTION "mark_added_series"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "series_due" ("series_id") SELECT DISTINCT "series_id" FROM "added";
  RETURN NULL;
END $$;

CREATE TRIGGER "run_added_series_due" AFTER INSERT ON "run"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "mark_added_series"();

CREATE FUNCTION "mark_changed_series"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "series_due" ("series_id") VALUES (NEW."series_id");
  IF OLD."series_id" IS DISTINCT FROM NEW."series_id" THEN
    INSERT INTO "series_due" ("series_id") VALUES (OLD."series_id");
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "run_changed_series_due" AFTER UPDATE OF "scenario", "variant", "environment", "ordered_at", "deleted_at", "complete", "labels", "imported" ON "run"
  FOR EACH ROW EXECUTE FUNCTION "mark_changed_series"();
