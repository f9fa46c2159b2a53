export { getRaw as GET } from '@/app/_server/operations/runs/uploads'
