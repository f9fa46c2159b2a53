CREATE TABLE "attempt_session" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "question" TEXT NOT NULL,
    "base" TEXT NOT NULL,
    "metric_id" TEXT NOT NULL,
    "smallest_ratio" DOUBLE PRECISION NOT NULL,
    "max_rounds" INTEGER NOT NULL,
    "planned_attempts" INTEGER NOT NULL,
    "max_runs" INTEGER NOT NULL,
    "seed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attempt_session_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "attempt" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT,
    "is_confirmation" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "result" JSONB,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "attempt_place" (
    "attempt_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "arm" TEXT NOT NULL,
    "given_at" TIMESTAMPTZ(3) NOT NULL,
    "void_reason" TEXT,

    CONSTRAINT "attempt_place_pkey" PRIMARY KEY ("attempt_id","round","arm")
);

CREATE UNIQUE INDEX "attempt_session_project_id_number_key" ON "attempt_session"("project_id", "number");

CREATE UNIQUE INDEX "attempt_session_id_number_key" ON "attempt"("session_id", "number");

CREATE UNIQUE INDEX "attempt_session_id_name_key" ON "attempt"("session_id", "name");

ALTER TABLE "attempt_session" ADD CONSTRAINT "attempt_session_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "attempt" ADD CONSTRAINT "attempt_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "attempt_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "attempt_place" ADD CONSTRAINT "attempt_place_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "attempt"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.
CREATE CONSTRAINT TRIGGER "note_project_change" AFTER INSERT OR UPDATE OR DELETE ON "attempt_session"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_project_change();
CREATE CONSTRAINT TRIGGER "note_project_change" AFTER INSERT OR UPDATE OR DELETE ON "attempt"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_project_change();
CREATE CONSTRAINT TRIGGER "note_project_change" AFTER INSERT OR UPDATE OR DELETE ON "attempt_place"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_project_change();
