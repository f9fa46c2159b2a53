-- New runs whose label of this name has another value are candidates. Null, both: no such rule.
ALTER TABLE "project" ADD COLUMN "candidate_label" TEXT, ADD COLUMN "candidate_unless" TEXT;

-- By hand: a rule is whole or there is none.
ALTER TABLE "project" ADD CONSTRAINT "project_candidate_rule" CHECK (("candidate_label" IS NULL) = ("candidate_unless" IS NULL));
