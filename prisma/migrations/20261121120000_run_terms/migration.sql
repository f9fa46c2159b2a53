-- DropTable
DROP TABLE "run_label";

-- CreateTable
CREATE TABLE "run_term" (
    "project_id" TEXT NOT NULL,
    "term_id" BIGINT NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL,
    "run_id" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "term" (
    "project_id" TEXT NOT NULL,
    "id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "runs" INTEGER NOT NULL,

    CONSTRAINT "term_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "term_change" (
    "id" BIGSERIAL NOT NULL,
    "project_id" TEXT NOT NULL,
    "term_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "change" INTEGER NOT NULL,

    CONSTRAINT "term_change_pkey" PRIMARY KEY ("id")
);

-- By hand from here on: what the Prisma schema cannot say.

-- Values by frequency, for facets; words by their beginning (bytes, whatever the database's language), for the search.
CREATE INDEX "term_frequent" ON "term"("project_id", "kind", "key", "runs" DESC);
CREATE INDEX "term_word" ON "term"("project_id", ("value" COLLATE "C")) INCLUDE ("id", "runs") WHERE "kind" = 'word';
-- What nothing has any more goes.
CREATE INDEX "term_unused" ON "term"("project_id", "id") WHERE "runs" = 0;

-- What a run can be found by: 'run' and 'key' are only counted; the others stand in run_term as well. Words are what is
-- between ASCII punctuation in search_text, of at least two characters, cut at 40; the first 200 of them.
CREATE FUNCTION "terms_of"("tool" TEXT, "scenario" TEXT, "variant" TEXT, "environment" TEXT, "labels" JSONB, "search_text" TEXT)
RETURNS TABLE ("kind" TEXT, "key" TEXT, "value" TEXT) LANGUAGE sql IMMUTABLE AS $$
  SELECT * FROM (VALUES
    ('run', '', ''), ('tool', '', $1), ('scenario', '', $2), ('variant', '', $3), ('environment', '', $4)
  ) AS named (kind, key, value) WHERE value IS NOT NULL
  UNION ALL SELECT 'label', label.key, label.value FROM jsonb_each_text($5) AS label
  UNION ALL SELECT 'key', '', label.key FROM jsonb_each_text($5) AS label
  UNION ALL (
    SELECT 'word', '', left(word, 40) FROM string_to_table(
      translate($6, E'\r\n\t!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 35)), ' ') WITH ORDINALITY AS words (word, place)
    WHERE length(word) > 1 GROUP BY 3 ORDER BY min(place) LIMIT 200
  )
$$;

-- An id that follows from the term itself: writers need not look it up, or wait for who adds the same one.
CREATE FUNCTION "term_id"("kind" TEXT, "key" TEXT, "value" TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || left(md5("kind" || E'\n' || "key" || E'\n' || "value"), 16))::bit(64)::bigint
$$;

-- The database keeps the terms, whoever writes a run. Counts are only noted here (term_change), never updated, so that
-- uploads do not wait for each other; the server adds them up.
CREATE FUNCTION "add_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH found AS MATERIALIZED (
    SELECT r."project_id", r."ordered_at", r."id" AS run_id, "term_id"(t.kind, t.key, t.value) AS term_id, t.kind, t.key, t.value
    FROM "added" AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", r."search_text") AS t
    WHERE r."deleted_at" IS NULL
  ), noted AS (
    INSERT INTO "term_change" ("project_id", "term_id", "kind", "key", "value", "change")
    SELECT "project_id", term_id, kind, key, value, count(*) FROM found GROUP BY 1, 2, 3, 4, 5
  )
  INSERT INTO "run_term" SELECT "project_id", term_id, "ordered_at", run_id FROM found WHERE kind NOT IN ('run', 'key');
  RETURN NULL;
END $$;

CREATE TRIGGER "run_added_terms" AFTER INSERT ON "run"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "add_terms"();

CREATE FUNCTION "remove_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH found AS MATERIALIZED (
    SELECT r."project_id", r."ordered_at", r."id" AS run_id, "term_id"(t.kind, t.key, t.value) AS term_id, t.kind, t.key, t.value
    FROM "removed" AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", r."search_text") AS t
    WHERE r."deleted_at" IS NULL
  ), noted AS (
    INSERT INTO "term_change" ("project_id", "term_id", "kind", "key", "value", "change")
    SELECT "project_id", term_id, kind, key, value, -count(*) FROM found GROUP BY 1, 2, 3, 4, 5
  )
  DELETE FROM "run_term" AS t USING found AS f
  WHERE t."project_id" = f."project_id" AND t."term_id" = f.term_id AND t."ordered_at" = f."ordered_at" AND t."run_id" = f.run_id;
  RETURN NULL;
END $$;

CREATE TRIGGER "run_removed_terms" AFTER DELETE ON "run"
  REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "remove_terms"();

CREATE FUNCTION "change_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT b."id" FROM "before" AS b JOIN "after" AS a ON a."id" = b."id"
    WHERE (b."project_id", b."tool", b."scenario", b."variant", b."environment", b."labels", b."search_text", b."ordered_at", b."deleted_at")
      IS DISTINCT FROM (a."project_id", a."tool", a."scenario", a."variant", a."environment", a."labels", a."search_text", a."ordered_at", a."deleted_at")
  ), sides AS (
    SELECT -1 AS side, b.* FROM "before" AS b JOIN changed USING ("id") WHERE b."deleted_at" IS NULL
    UNION ALL SELECT 1, a.* FROM "after" AS a JOIN changed USING ("id") WHERE a."deleted_at" IS NULL
  ), moved AS MATERIALIZED (
    SELECT r."project_id", r."ordered_at", r."id" AS run_id, "term_id"(t.kind, t.key, t.value) AS term_id, t.kind, t.key, t.value, sum(side) AS side
    FROM sides AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", r."search_text") AS t
    GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(side) <> 0
  ), noted AS (
    INSERT INTO "term_change" ("project_id", "term_id", "kind", "key", "value", "change")
    SELECT "project_id", term_id, kind, key, value, sum(side) FROM moved GROUP BY 1, 2, 3, 4, 5 HAVING sum(side) <> 0
  ), gone AS (
    DELETE FROM "run_term" AS t USING moved AS m WHERE m.side < 0
      AND t."project_id" = m."project_id" AND t."term_id" = m.term_id AND t."ordered_at" = m."ordered_at" AND t."run_id" = m.run_id
  )
  INSERT INTO "run_term" SELECT "project_id", term_id, "ordered_at", run_id FROM moved WHERE side > 0 AND kind NOT IN ('run', 'key');
  RETURN NULL;
END $$;

CREATE TRIGGER "run_changed_terms" AFTER UPDATE ON "run"
  REFERENCING OLD TABLE AS "before" NEW TABLE AS "after" FOR EACH STATEMENT EXECUTE FUNCTION "change_terms"();

-- The runs that are there already; the key comes after them, which is faster.
CREATE TEMPORARY TABLE "found_terms" AS
  SELECT r."project_id", r."ordered_at", r."id" AS run_id, "term_id"(t.kind, t.key, t.value) AS term_id, t.kind, t.key, t.value
  FROM "run" AS r, "terms_of"(r."tool", r."scenario", r."variant", r."environment", r."labels", r."search_text") AS t
  WHERE r."deleted_at" IS NULL;
INSERT INTO "run_term" SELECT "project_id", term_id, "ordered_at", run_id FROM "found_terms" WHERE kind NOT IN ('run', 'key');
INSERT INTO "term" ("project_id", "id", "kind", "key", "value", "runs")
  SELECT "project_id", term_id, kind, key, value, count(*) FROM "found_terms" GROUP BY 1, 2, 3, 4, 5;
DROP TABLE "found_terms";
ALTER TABLE "run_term" ADD CONSTRAINT "run_term_pkey" PRIMARY KEY ("project_id", "term_id", "ordered_at", "run_id");
