export { mapDraft as POST } from '@/app/_server/operations/runs/drafts'
