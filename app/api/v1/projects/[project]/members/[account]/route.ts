export { removeMember as DELETE, setMemberRole as PATCH } from '@/app/_server/operations/accounts/members'
