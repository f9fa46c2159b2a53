export { explainBoxOfRun as GET } from '@/app/_server/operations/why'
