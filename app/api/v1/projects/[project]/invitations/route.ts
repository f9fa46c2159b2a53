export {
  createProjectInvitation as POST,
  listProjectInvitations as GET,
} from '@/app/_server/operations/accounts/invitations'
