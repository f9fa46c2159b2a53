export { saveDraft as POST } from '@/app/_server/operations/drafts'
