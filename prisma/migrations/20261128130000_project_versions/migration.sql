-- By hand, after the table: triggers that Prisma's schema cannot express.

-- How often what is shown of a project has changed. A page that was made of one version is good until the next.
CREATE TABLE "project_version" (
    "project_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "project_version_pkey" PRIMARY KEY ("project_id"),
    CONSTRAINT "project_version_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Runs at the end of a transaction, so that the row is locked only while that commits; once for each project, however
-- many rows it changed.
CREATE FUNCTION "note_project_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  noted TEXT[] := string_to_array(coalesce(current_setting('tailboard.changed_projects', true), ''), ' ');
  changed TEXT[];
BEGIN
  -- The other of OLD and NEW is null in an insertion or a deletion.
  IF TG_TABLE_NAME = 'project' THEN changed := ARRAY[NEW."id"]; ELSE changed := ARRAY[OLD."project_id", NEW."project_id"]; END IF;
  changed := ARRAY(SELECT DISTINCT one FROM unnest(changed) AS one WHERE one <> ALL (noted));
  IF changed = '{}' THEN RETURN NULL; END IF;
  -- A project that is being deleted has no next version.
  INSERT INTO "project_version" ("project_id") SELECT "id" FROM "project" WHERE "id" = ANY (changed) ORDER BY "id"
    ON CONFLICT ("project_id") DO UPDATE SET "version" = "project_version"."version" + 1;
  PERFORM set_config('tailboard.changed_projects', array_to_string(noted || changed, ' '), true);
  RETURN NULL;
END $$;

-- All that a page shows of a project is in these tables, or made of them: stored trends, totals and words are.
DO $$
DECLARE
  of_project TEXT;
BEGIN
  FOREACH of_project IN ARRAY ARRAY['upload', 'run', 'series', 'series_watch', 'environment', 'cell_note', 'alert', 'share', 'comparison', 'baseline', 'rule', 'annotation', 'channel', 'badge']
  LOOP
    EXECUTE format(
      'CREATE CONSTRAINT TRIGGER "note_project_change" AFTER INSERT OR UPDATE OR DELETE ON %I DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_project_change()',
      of_project);
  END LOOP;
END $$;
CREATE CONSTRAINT TRIGGER "note_project_change" AFTER INSERT OR UPDATE ON "project"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_project_change();
