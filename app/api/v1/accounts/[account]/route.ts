export { updateAccount as PATCH } from '@/app/_server/operations/accounts/accounts'
