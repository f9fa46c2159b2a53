export { setPassword as PUT } from '@/app/_server/operations/accounts/account'
