-- New runs with this label make their series controls.
ALTER TABLE "project" ADD COLUMN "control_label" TEXT, ADD COLUMN "control_value" TEXT;

-- By hand from here on: what the Prisma schema cannot say.
ALTER TABLE "project" ADD CONSTRAINT "project_control_rule" CHECK (("control_label" IS NULL) = ("control_value" IS NULL));
