-- What the app shows of an address, since the address itself is encrypted by the app.
ALTER TABLE "channel" ADD COLUMN "target_shown" TEXT;
UPDATE "channel" SET "target_shown" = CASE
  WHEN "kind" = 'email' THEN "target"
  ELSE coalesce(substring("target" FROM '^[a-z]+://(?:[^/?#@]*@)?([^/?#]+)'), '') END;
ALTER TABLE "channel" ALTER COLUMN "target_shown" SET NOT NULL;
