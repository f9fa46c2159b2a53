-- What a token makes ends with it at the latest. Nothing refers to tokens, as in the audit log: rows are restored in any order.
ALTER TABLE "api_token" ADD COLUMN "parent_id" TEXT;
CREATE INDEX "api_token_parent_id_idx" ON "api_token"("parent_id");
ALTER TABLE "invitation" ADD COLUMN "token_id" TEXT;
CREATE INDEX "invitation_token_id_idx" ON "invitation"("token_id");

-- The audit log knows which tokens made those that are there.
UPDATE "api_token" AS made SET "parent_id" = entry."token_id"
FROM "audit_entry" AS entry
WHERE entry."action" = 'token.create' AND entry."token_id" IS NOT NULL AND entry."subject" ->> 'token' = made."id";
