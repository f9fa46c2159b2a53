export { replayDelivery as POST } from '@/app/_server/operations/channels'
