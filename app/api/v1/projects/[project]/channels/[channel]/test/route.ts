export { testChannel as POST } from '@/app/_server/operations/channels'
