export { createSession as POST, listSessions as GET } from '@/app/_server/operations/attempt-sessions'
