export { voidExperimentRun as POST } from '@/app/_server/operations/experiments'
