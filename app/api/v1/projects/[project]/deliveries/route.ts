export { listDeliveries as GET } from '@/app/_server/operations/channels'
