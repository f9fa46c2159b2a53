export { endSession as DELETE } from '@/app/_server/operations/accounts/account'
