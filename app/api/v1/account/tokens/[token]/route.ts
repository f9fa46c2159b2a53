export { revokeOwnToken as DELETE } from '@/app/_server/operations/accounts/tokens'
