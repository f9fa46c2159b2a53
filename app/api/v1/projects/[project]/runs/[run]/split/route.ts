export { splitRun as POST } from '@/app/_server/operations/runs/merges'
