export { concludeSession as POST } from '@/app/_server/operations/attempt-sessions'
