export { revokeProjectInvitation as DELETE } from '@/app/_server/operations/accounts/invitations'
