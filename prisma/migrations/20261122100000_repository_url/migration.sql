-- Where the commits of a project are seen; https only. Null: not known.
ALTER TABLE "project" ADD COLUMN "repository_url" TEXT;
