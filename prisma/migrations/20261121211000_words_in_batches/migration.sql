-- By hand: what a run's words cost to add. Runs are added one by one, and each stands in 60 lists: they are noted, and put
-- into the lists for about 40 runs at once. A search looks through the notes as well, at most 64 kB.
ALTER INDEX "run_words" SET (fastupdate = on, gin_pending_list_limit = 64);

-- The same lists as before, from a function whose statement is planned once a connection instead of once a run.
CREATE OR REPLACE FUNCTION "word_lists"("project_id" TEXT, "search_text" TEXT, "ordered_at" TIMESTAMPTZ) RETURNS BIGINT[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT array_agg(found.list) || array_agg(found.list # ((floor(extract(epoch FROM $3) / 1048576)::bigint * 2 + 1) << 40)) FROM (
      SELECT ('x' || left(md5($1 || E'\nword\n\n' || left(word, 40)), 16))::bit(64)::bigint AS list FROM string_to_table(
        translate($2, E'\r\n\t!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 35)), ' ') WITH ORDINALITY AS words (word, place)
      WHERE length(word) > 1 GROUP BY 1 ORDER BY min(place) LIMIT 200
    ) AS found
  );
END $$;
