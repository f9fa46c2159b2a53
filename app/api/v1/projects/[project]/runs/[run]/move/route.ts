export { moveRun as POST } from '@/app/_server/operations/runs/runs'
