export { getExperimentReport as GET } from '@/app/_server/operations/experiments'
