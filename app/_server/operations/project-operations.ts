import { createProjectSchema } from '../schemas'
import { fanAnswer } from '@/lib/board/fan-answer'
import { comparisonDataSchema } from '@/lib/export/comparison-data'
import { matrixDataSchema } from '@/lib/export/matrix-data'
import { projectAnswer } from '../answers/project-answers'
import * as annotations from './annotations'
import * as badges from './badges'
import * as cellNotes from './cell-notes'
import * as comparisons from './comparisons'
import * as mappings from './mappings'
import * as project from './project'
import * as retention from './retention'
import * as search from './search'
import * as shares from './shares'
import * as trash from './trash'
import { byAddress, conflict, file, inQuery, json, list, orJson, p, text, type Operations } from './operation'

const theme = inQuery('theme', 'Of images: the default is light.', { type: 'string', enum: ['light', 'dark'] })

/** Projects and what is in them beside runs, uploads and alerts. */
export const projectOperations: Operations = {
  'GET /api/v1/projects': {
    summary: 'List projects',
    needs: 'projects',
    answers: { 200: list('Those that the account may read.', 'projects', projectAnswer) },
  },
  'POST /api/v1/projects': {
    summary: 'Create a project',
    needs: 'account',
    body: createProjectSchema,
    answers: { 201: json('The project.', projectAnswer) },
    problems: conflict,
  },
  ...byAddress(project),
  ...byAddress(retention),
  ...byAddress(trash),
  ...byAddress(search),
  ...byAddress(annotations),
  [`GET ${p}/compare/[refs]/[file]`]: {
    summary: 'A comparison as a file',
    needs: 'read',
    problems: { 503: ['busy'] },
    parameters: [
      inQuery('saved', 'The saved comparison whose name and notes it has. Further parameters are those of its page.'),
      theme,
    ],
    answers: {
      200: orJson(
        file(
          'comparison.md, table.md, data.csv, data.json, chart.svg, chart.png, preview.png or comparison.html.',
          ...['text/markdown', 'text/csv', 'image/svg+xml', 'image/png', 'text/html'],
        ),
        comparisonDataSchema,
      ),
    },
  },
  [`GET ${p}/matrix/[file]`]: {
    summary: 'A matrix as a file',
    needs: 'read',
    problems: { 503: ['busy'] },
    parameters: [theme],
    answers: {
      200: orJson(
        file(
          'matrix.md, table.md, data.csv, data.json or matrix.png. The parameters are those of its page.',
          ...['text/markdown', 'text/csv', 'image/png'],
        ),
        matrixDataSchema,
      ),
    },
  },
  ...byAddress(cellNotes),
  ...byAddress(mappings),
  ...byAddress(comparisons),

  ...byAddress(shares),
  ...byAddress(badges),
  [`GET ${p}/series/[series]/fan`]: {
    summary: 'What the board draws of a series; its form may change',
    needs: 'read',
    parameters: [inQuery('metric', 'The id of a metric that the board draws.', text)],
    answers: { 200: json('Percentiles of the newest run and of its level.', fanAnswer) },
  },
}
