export { getRetention as GET, setRetention as PUT } from '@/app/_server/operations/retention'
