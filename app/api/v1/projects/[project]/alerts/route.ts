export { listAlerts as GET } from '@/app/_server/operations/alerts'
