export { createChannel as POST, listChannels as GET } from '@/app/_server/operations/channels'
