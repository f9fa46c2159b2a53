export { changeRuns as POST } from '@/app/_server/operations/runs/runs'
