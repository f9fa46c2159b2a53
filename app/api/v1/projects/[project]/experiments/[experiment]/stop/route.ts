export { stopExperiment as POST } from '@/app/_server/operations/experiments'
