export { mapDraft as POST } from '@/app/_server/operations/drafts'
