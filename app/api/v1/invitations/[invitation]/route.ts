export { revokeInvitation as DELETE } from '@/app/_server/operations/accounts/invitations'
