export { commentAlert as POST } from '@/app/_server/operations/alerts'
