export { createInvitation as POST, listInvitations as GET } from '@/app/_server/operations/accounts/invitations'
