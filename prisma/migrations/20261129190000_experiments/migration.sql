CREATE TABLE "experiment" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "question" TEXT NOT NULL,
    "base" TEXT NOT NULL,
    "head" TEXT NOT NULL,
    "has_control" BOOLEAN NOT NULL,
    "metric_id" TEXT NOT NULL,
    "smallest_ratio" DOUBLE PRECISION NOT NULL,
    "max_rounds" INTEGER NOT NULL,
    "seed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "experiment_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "experiment_place" (
    "experiment_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "round" INTEGER NOT NULL,
    "arm" TEXT NOT NULL,
    "given_at" TIMESTAMPTZ(3) NOT NULL,
    "void_reason" TEXT,

    CONSTRAINT "experiment_place_pkey" PRIMARY KEY ("experiment_id","round","arm")
);

CREATE UNIQUE INDEX "experiment_project_id_number_key" ON "experiment"("project_id", "number");

ALTER TABLE "experiment" ADD CONSTRAINT "experiment_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "experiment_place" ADD CONSTRAINT "experiment_place_experiment_id_fkey" FOREIGN KEY ("experiment_id") REFERENCES "experiment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.
CREATE CONSTRAINT TRIGGER "note_project_change" AFTER INSERT OR UPDATE OR DELETE ON "experiment"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_project_change();
CREATE CONSTRAINT TRIGGER "note_project_change" AFTER INSERT OR UPDATE OR DELETE ON "experiment_place"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_project_change();
