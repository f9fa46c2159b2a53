export { revokeShare as DELETE, updateShare as PATCH } from '@/app/_server/operations/shares'
