export { restoreUpload as POST } from '@/app/_server/operations/uploads'
