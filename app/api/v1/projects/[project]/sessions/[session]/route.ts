export { getSession as GET } from '@/app/_server/operations/attempt-sessions'
