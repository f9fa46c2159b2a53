export { exportRuns as GET } from '@/app/_server/operations/runs/runs'
