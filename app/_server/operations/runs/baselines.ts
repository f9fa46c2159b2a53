import { clearBaselineRun, setBaselineRun } from '@/prisma/queries/runs/baselines'
import { nothing, p } from '../operation'
import { projectOperation } from '../project-operation'

export const setBaseline = projectOperation(
  {
    at: `PUT ${p}/runs/[run]/baseline`,
    summary: 'Make a run the baseline of its scenario and environment',
    needs: 'edit',
    audit: 'baseline.set',
    answers: nothing,
  },
  ({ project, params }) => setBaselineRun(project, params.run),
)

export const clearBaseline = projectOperation(
  {
    at: `DELETE ${p}/runs/[run]/baseline`,
    summary: 'Remove the baseline mark from a run',
    needs: 'edit',
    audit: 'baseline.clear',
    answers: nothing,
  },
  ({ project, params }) => clearBaselineRun(project, params.run),
)
