export { restoreUpload as POST } from '@/app/_server/operations/runs/uploads'
