export { listMembers as GET } from '@/app/_server/operations/accounts/members'
