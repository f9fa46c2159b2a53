export { getAccount as GET, renameAccount as PATCH } from '@/app/_server/operations/accounts/account'
