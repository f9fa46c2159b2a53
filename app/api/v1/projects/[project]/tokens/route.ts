export { listProjectTokens as GET } from '@/app/_server/operations/accounts/tokens'
