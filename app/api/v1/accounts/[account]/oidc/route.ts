export { unlinkAccount as DELETE } from '@/app/_server/operations/accounts/accounts'
