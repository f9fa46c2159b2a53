-- CreateIndex
CREATE INDEX "upload_project_id_created_at_id_idx" ON "upload"("project_id", "created_at" DESC, "id" DESC);
