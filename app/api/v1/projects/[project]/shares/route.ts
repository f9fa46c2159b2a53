export { createShare as POST, listShares as GET } from '@/app/_server/operations/shares'
