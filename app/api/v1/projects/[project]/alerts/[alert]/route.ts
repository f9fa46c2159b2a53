export { getAlert as GET } from '@/app/_server/operations/alerts'
