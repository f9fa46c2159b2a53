-- DropTable
DROP TABLE "run_term";

-- CreateTable
CREATE TABLE "run_term" (
    "term_id" BIGINT NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL,
    "run_id" TEXT NOT NULL
);

-- By hand from here on: what the Prisma schema cannot say.

-- Lists read rows by the thousand and never the whole run: it goes out of the row when that is over 2 kB.
ALTER TABLE "run" SET (toast_tuple_target = 1024);

-- Within a scenario, by everything that lists are sorted by. Series are found in the index itself.
DROP INDEX "run_history_time";
CREATE INDEX "run_history_time" ON "run"("project_id", "ordered_at", "id") INCLUDE ("series_id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_scenario_time" ON "run"("project_id", "scenario", "ordered_at", "id") INCLUDE ("series_id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_scenario_rps" ON "run"("project_id", "scenario", "requests_per_second", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_scenario_p50" ON "run"("project_id", "scenario", "p50_ms", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_scenario_p99" ON "run"("project_id", "scenario", "p99_ms", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_scenario_max" ON "run"("project_id", "scenario", "max_ms", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "run_scenario_errors" ON "run"("project_id", "scenario", "error_ratio", "id") WHERE "deleted_at" IS NULL;

ALTER FUNCTION "terms_of"(TEXT, TEXT, TEXT, TEXT, JSONB, TEXT) PARALLEL SAFE;
ALTER FUNCTION "term_id"(TEXT, TEXT, TEXT) PARALLEL SAFE;

-- Where the runs of a term are listed, in run_term or in the index of words: a hash, so that no row holds texts.
CREATE FUNCTION "term_list"("project_id" TEXT, "kind" TEXT, "key" TEXT, "value" TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('x' || left(md5("project_id" || E'\n' || "kind" || E'\n' || "key" || E'\n' || "value"), 16))::bit(64)::bigint
$$;

-- The lists of a run's words; the words are those of terms_of. Calls nothing of ours: indices are built without a search path.
CREATE FUNCTION "word_lists"("project_id" TEXT, "search_text" TEXT) RETURNS BIGINT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(('x' || left(md5($1 || E'\nword\n\n' || found.value), 16))::bit(64)::bigint) FROM (
    SELECT left(word, 40) AS value FROM string_to_table(
      translate($2, E'\r\n\t!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 35)), ' ') WITH ORDINALITY AS words (word, place)
    WHERE length(word) > 1 GROUP BY 1 ORDER BY min(place) LIMIT 200
  ) AS found
$$;

-- Words are two thirds of what runs can be found by: as lists of one index they take a fiftieth of rows of run_term.
CREATE INDEX "run_words" ON "run" USING gin ("word_lists"("project_id", "search_text")) WITH (fastupdate = off) WHERE "deleted_at" IS NULL;
ALTER INDEX "run_words" ALTER COLUMN 1 SET STATISTICS 0;

-- The triggers, with fewer terms in run_term: words have their index, scenarios theirs.
CREATE OR REPLACE FUNCTION "add_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH found AS MATERIALIZED (
    SELECT r."project_id", r."ordered_at", r."id" AS run_id, t.kind, t.key, t.value
    FROM "added" AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", r."search_text") AS t
    WHERE r."deleted_at" IS NULL
  ), noted AS (
    INSERT INTO "term_change" ("project_id", "term_id", "kind", "key", "value", "change")
    SELECT "project_id", "term_id"(kind, key, value), kind, key, value, count(*) FROM found GROUP BY 1, 3, 4, 5
  )
  INSERT INTO "run_term" SELECT "term_list"("project_id", kind, key, value), "ordered_at", run_id FROM found
    WHERE kind IN ('tool', 'variant', 'environment', 'label');
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "remove_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH found AS MATERIALIZED (
    SELECT r."project_id", r."ordered_at", r."id" AS run_id, t.kind, t.key, t.value
    FROM "removed" AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", r."search_text") AS t
    WHERE r."deleted_at" IS NULL
  ), noted AS (
    INSERT INTO "term_change" ("project_id", "term_id", "kind", "key", "value", "change")
    SELECT "project_id", "term_id"(kind, key, value), kind, key, value, -count(*) FROM found GROUP BY 1, 3, 4, 5
  )
  DELETE FROM "run_term" AS t USING found AS f
  WHERE f.kind IN ('tool', 'variant', 'environment', 'label')
    AND t."term_id" = "term_list"(f."project_id", f.kind, f.key, f.value) AND t."ordered_at" = f."ordered_at" AND t."run_id" = f.run_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "change_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT b."id" FROM "before" AS b JOIN "after" AS a ON a."id" = b."id"
    WHERE (b."project_id", b."tool", b."scenario", b."variant", b."environment", b."labels", b."search_text", b."ordered_at", b."deleted_at")
      IS DISTINCT FROM (a."project_id", a."tool", a."scenario", a."variant", a."environment", a."labels", a."search_text", a."ordered_at", a."deleted_at")
  ), sides AS (
    SELECT -1 AS side, b.* FROM "before" AS b JOIN changed USING ("id") WHERE b."deleted_at" IS NULL
    UNION ALL SELECT 1, a.* FROM "after" AS a JOIN changed USING ("id") WHERE a."deleted_at" IS NULL
  ), moved AS MATERIALIZED (
    SELECT r."project_id", r."ordered_at", r."id" AS run_id, t.kind, t.key, t.value, sum(side) AS side
    FROM sides AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", r."search_text") AS t
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(side) <> 0
  ), noted AS (
    INSERT INTO "term_change" ("project_id", "term_id", "kind", "key", "value", "change")
    SELECT "project_id", "term_id"(kind, key, value), kind, key, value, sum(side) FROM moved GROUP BY 1, 3, 4, 5 HAVING sum(side) <> 0
  ), gone AS (
    DELETE FROM "run_term" AS t USING moved AS m
    WHERE m.side < 0 AND m.kind IN ('tool', 'variant', 'environment', 'label')
      AND t."term_id" = "term_list"(m."project_id", m.kind, m.key, m.value) AND t."ordered_at" = m."ordered_at" AND t."run_id" = m.run_id
  )
  INSERT INTO "run_term" SELECT "term_list"("project_id", kind, key, value), "ordered_at", run_id FROM moved
    WHERE side > 0 AND kind IN ('tool', 'variant', 'environment', 'label');
  RETURN NULL;
END $$;

-- The runs that are there already; their counts stay.
INSERT INTO "run_term" SELECT "term_list"(r."project_id", t.kind, t.key, t.value), r."ordered_at", r."id"
  FROM "run" AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", '') AS t
  WHERE r."deleted_at" IS NULL AND t.kind IN ('tool', 'variant', 'environment', 'label');
ALTER TABLE "run_term" ADD CONSTRAINT "run_term_pkey" PRIMARY KEY ("term_id", "ordered_at", "run_id");
