export { deleteRun as DELETE, getRun as GET, updateRun as PATCH } from '@/app/_server/operations/runs/runs'
