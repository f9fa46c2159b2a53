export { assignAlert as POST } from '@/app/_server/operations/alerts'
