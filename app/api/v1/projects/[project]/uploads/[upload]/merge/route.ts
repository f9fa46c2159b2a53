export { planDraft as POST } from '@/app/_server/operations/runs/drafts'
