export { startAttempt as POST } from '@/app/_server/operations/attempt-sessions'
