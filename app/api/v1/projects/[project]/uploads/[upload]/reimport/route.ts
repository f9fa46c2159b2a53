export { reimportUpload as POST } from '@/app/_server/operations/uploads'
