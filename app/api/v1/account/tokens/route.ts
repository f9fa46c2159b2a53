export { createToken as POST, listOwnTokens as GET } from '@/app/_server/operations/accounts/tokens'
