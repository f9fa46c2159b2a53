-- CreateTable
CREATE TABLE "channel" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "secret" TEXT,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "alert_id" TEXT,
    "step_id" TEXT,
    "what" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "message" JSONB,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3),
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "last_tried_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "channel_project_id_idx" ON "channel"("project_id");

-- CreateIndex
CREATE INDEX "delivery_project_id_created_at_id_idx" ON "delivery"("project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "delivery_channel_id_idx" ON "delivery"("channel_id");

-- CreateIndex
CREATE INDEX "delivery_alert_id_idx" ON "delivery"("alert_id");

-- AddForeignKey
ALTER TABLE "channel" ADD CONSTRAINT "channel_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on: what the Prisma schema cannot say.
ALTER TABLE "channel" ADD CONSTRAINT "channel_kind_check" CHECK ("kind" IN ('webhook', 'slack', 'email'));
ALTER TABLE "channel" ADD CONSTRAINT "channel_secret_check" CHECK (("kind" = 'webhook') = ("secret" IS NOT NULL));
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_status_check" CHECK ("status" IN ('waiting', 'delivered', 'failed'));
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_next_try_check" CHECK (("status" = 'waiting') = ("next_try_at" IS NOT NULL));

-- What is due, channel by channel: all that the delivery loop reads.
CREATE INDEX "delivery_due_idx" ON "delivery"("channel_id", "next_try_at") WHERE "status" = 'waiting';
