export { explainDifference as GET } from '@/app/_server/operations/why'
