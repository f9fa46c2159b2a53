export { deleteChannel as DELETE, updateChannel as PATCH } from '@/app/_server/operations/channels'
