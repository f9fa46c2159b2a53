export { planDraft as POST } from '@/app/_server/operations/drafts'
