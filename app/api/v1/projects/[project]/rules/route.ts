export { createRule as POST, listRules as GET } from '@/app/_server/operations/rules'
