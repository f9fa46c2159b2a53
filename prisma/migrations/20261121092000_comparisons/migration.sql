-- CreateTable
CREATE TABLE "comparison" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "refs" TEXT NOT NULL,
    "view" TEXT NOT NULL,
    "notes" TEXT NOT NULL DEFAULT '',
    "takeaways" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "comparison_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "baseline" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "scenario" TEXT NOT NULL,
    "environment" TEXT,
    "run_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "baseline_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "comparison_project_id_updated_at_idx" ON "comparison"("project_id", "updated_at" DESC);

-- CreateIndex
CREATE INDEX "baseline_run_id_idx" ON "baseline"("run_id");

-- AddForeignKey
ALTER TABLE "comparison" ADD CONSTRAINT "comparison_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "baseline" ADD CONSTRAINT "baseline_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "baseline" ADD CONSTRAINT "baseline_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand.
ALTER TABLE "comparison" ADD CONSTRAINT "comparison_kind_check" CHECK ("kind" IN ('runs', 'matrix'));

-- By hand: one baseline for each scenario and environment.
CREATE UNIQUE INDEX "baseline_of" ON "baseline"("project_id", "scenario", COALESCE("environment", ''));
