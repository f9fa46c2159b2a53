-- What the series of a project are judged by (lib/judge/judged-window.ts): whole runs, or their steady parts.
ALTER TABLE "project" ADD COLUMN "judged_window" TEXT NOT NULL DEFAULT 'whole';

-- The figures of a run after its warm-up, beside those of the whole; {"part": null}: all of it is steady. Null: not known, or never steady.
ALTER TABLE "run" ADD COLUMN "steady" JSONB;

-- By hand: one of two, and the runs that are there.
ALTER TABLE "project" ADD CONSTRAINT "project_judged_window" CHECK ("judged_window" IN ('whole', 'steady'));
UPDATE "run" SET "steady" = jsonb_build_object('part', "imported" #> '{timeline,warmUp,steady}')
WHERE "imported" #>> '{timeline,warmUp,isSteady}' = 'true'
  AND ("imported" #>> '{timeline,warmUp,steady}' IS NOT NULL OR ("imported" #>> '{timeline,warmUp,endMs}')::double precision = 0);
