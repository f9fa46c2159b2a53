export { listSessions as GET } from '@/app/_server/operations/accounts/account'
