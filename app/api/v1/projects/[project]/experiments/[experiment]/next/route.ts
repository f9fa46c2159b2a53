export { giveNextRun as POST } from '@/app/_server/operations/experiments'
