export { mergeRuns as POST, planRuns as GET } from '@/app/_server/operations/runs/merges'
