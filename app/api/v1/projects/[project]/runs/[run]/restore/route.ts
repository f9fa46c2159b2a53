export { restoreRun as POST } from '@/app/_server/operations/runs/runs'
