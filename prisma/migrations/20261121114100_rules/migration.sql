-- CreateTable
CREATE TABLE "rule" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "scenario" TEXT,
    "series_id" TEXT,
    "kind" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "muted_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "annotation" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "scenario" TEXT,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "annotation_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "alert" ADD COLUMN "rule_id" TEXT,
ADD COLUMN "events" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN "is_ongoing" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "rule_project_id_idx" ON "rule"("project_id");

-- CreateIndex
CREATE INDEX "rule_series_id_idx" ON "rule"("series_id");

-- CreateIndex
CREATE INDEX "annotation_project_id_at_idx" ON "annotation"("project_id", "at" DESC);

-- CreateIndex
CREATE INDEX "alert_rule_id_is_ongoing_idx" ON "alert"("rule_id", "is_ongoing");

-- AddForeignKey
ALTER TABLE "rule" ADD CONSTRAINT "rule_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule" ADD CONSTRAINT "rule_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "annotation" ADD CONSTRAINT "annotation_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "rule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.
ALTER TABLE "rule" ADD CONSTRAINT "rule_kind_check" CHECK ("kind" IN ('change-point', 'baseline', 'limit', 'missing', 'failed-import'));
ALTER TABLE "annotation" ADD CONSTRAINT "annotation_kind_check" CHECK ("kind" IN ('deploy', 'config', 'infrastructure', 'other'));

-- Every project has the built-in change-point rule, whoever makes the project; it has the project's id.
CREATE FUNCTION "add_built_in_rule"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "rule" ("id", "project_id", "kind", "settings") VALUES (NEW."id", NEW."id", 'change-point',
    '{"kind":"change-point","metricIds":[],"direction":"worse","leastEffectRatio":null,"confirmRuns":1,"sensitivity":"balanced"}');
  RETURN NULL;
END $$;

CREATE TRIGGER "project_gets_rule" AFTER INSERT ON "project" FOR EACH ROW EXECUTE FUNCTION "add_built_in_rule"();

INSERT INTO "rule" ("id", "project_id", "kind", "settings")
SELECT "id", "id", 'change-point',
  '{"kind":"change-point","metricIds":[],"direction":"worse","leastEffectRatio":null,"confirmRuns":1,"sensitivity":"balanced"}'
FROM "project";

UPDATE "alert" SET "rule_id" = "project_id";
