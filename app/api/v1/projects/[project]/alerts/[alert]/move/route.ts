export { moveAlert as POST } from '@/app/_server/operations/alerts'
