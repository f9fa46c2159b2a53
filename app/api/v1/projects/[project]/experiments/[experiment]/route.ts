export { getExperiment as GET } from '@/app/_server/operations/experiments'
