import * as environments from '@/prisma/queries/series/environments'
import { environmentAnswer, environmentHistoryAnswer } from '../answers/environment-answers'
import { environmentHistory } from '../environment-history'
import { json, list, p } from './operation'
import { projectOperation } from './project-operation'

export const listEnvironments = projectOperation(
  {
    at: `GET ${p}/environments`,
    summary: 'Environments, when each moved, and their series',
    needs: 'read',
    answers: { 200: list('Environments by name.', 'environments', environmentAnswer) },
  },
  async ({ project }) => ({ environments: await environments.listEnvironments(project) }),
)

export const getEnvironment = projectOperation(
  {
    at: `GET ${p}/environments/[environment]`,
    summary: 'An environment over time',
    needs: 'read',
    answers: { 200: json('The environment, by the newest runs of up to 40 series.', environmentHistoryAnswer) },
  },
  ({ project, params }) => environmentHistory(project, params.environment),
)
