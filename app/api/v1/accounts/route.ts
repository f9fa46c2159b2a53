export { listAccounts as GET } from '@/app/_server/operations/accounts/accounts'
