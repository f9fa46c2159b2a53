-- Accounts, their sessions, memberships, invitations and tokens, the audit log, and the points of rate limits.
CREATE TYPE "member_role" AS ENUM ('viewer', 'editor', 'admin');
CREATE TYPE "token_scope" AS ENUM ('upload', 'read', 'admin');

CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "oidc_issuer" TEXT,
    "oidc_subject" TEXT,
    "is_owner" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "account_email_lower" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "account_email_key" ON "account"("email");
CREATE UNIQUE INDEX "account_oidc_issuer_oidc_subject_key" ON "account"("oidc_issuer", "oidc_subject");

CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "token_sha256" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "session_token_sha256_key" ON "session"("token_sha256");
CREATE INDEX "session_account_id_idx" ON "session"("account_id");
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

CREATE TABLE "membership" (
    "project_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("project_id", "account_id"),
    CONSTRAINT "membership_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "membership_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "membership_account_id_idx" ON "membership"("account_id");

CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "token_sha256" TEXT NOT NULL,
    "email" TEXT,
    "project_id" TEXT,
    "role" "member_role",
    "is_owner" BOOLEAN NOT NULL DEFAULT false,
    "invited_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitation_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "invitation_role_in_project" CHECK (("project_id" IS NULL) = ("role" IS NULL))
);
CREATE UNIQUE INDEX "invitation_token_sha256_key" ON "invitation"("token_sha256");
CREATE INDEX "invitation_project_id_idx" ON "invitation"("project_id");

CREATE TABLE "api_token" (
    "id" TEXT NOT NULL,
    "token_sha256" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "project_id" TEXT,
    "scope" "token_scope" NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_token_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "api_token_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "api_token_upload_to_one_project" CHECK ("scope" <> 'upload' OR "project_id" IS NOT NULL)
);
CREATE UNIQUE INDEX "api_token_token_sha256_key" ON "api_token"("token_sha256");
CREATE INDEX "api_token_account_id_idx" ON "api_token"("account_id");
CREATE INDEX "api_token_project_id_idx" ON "api_token"("project_id");

CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "project_id" TEXT,
    "account_id" TEXT,
    "token_id" TEXT,
    "who" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" JSONB NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_entry_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "audit_entry_project_id_id_idx" ON "audit_entry"("project_id", "id" DESC);

-- Not logged: what is counted here may be lost with the server.
CREATE UNLOGGED TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "rate_limit_expires_at_idx" ON "rate_limit"("expires_at");

ALTER TABLE "alert" ADD COLUMN "assignee_id" TEXT;
ALTER TABLE "alert" ADD CONSTRAINT "alert_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "alert_assignee_id_idx" ON "alert"("assignee_id");
