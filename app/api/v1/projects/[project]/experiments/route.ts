export { createExperiment as POST, listExperiments as GET } from '@/app/_server/operations/experiments'
