import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { nextRunOf, planSchema, voidSchema } from '@/app/_server/experiment-requests'
import { experimentLine, experimentReport } from '@/lib/export/experiment-report'
import type { Viewer } from '@/lib/viewer'
import * as experiments from '@/prisma/queries/projects/experiments'
import { grant } from '@/prisma/queries/projects/projects'
import { answer } from './answers'
import { noting, project, readOnly, said } from './said'

const experiment = z.string().max(40).describe('Its id, from list_experiments or start_experiment')
const rest = 'its page has the rest'

/** Experiments, and what one shows. */
export function offerExperiments(server: McpServer, viewer: Viewer): void {
  server.registerTool(
    'list_experiments',
    {
      description: 'Experiments of a project in rounds, the newest ten, with what each shows.',
      inputSchema: { project },
      annotations: readOnly,
    },
    ({ project: slug }) =>
      said(async () => {
        const page = await experiments.pageOfExperiments(await grant(viewer, { slug }, 'read'), null)
        const lines = page.experiments.map(experimentLine)
        return answer(lines.length === 0 ? ['No experiments.'] : lines, 'read one by id')
      }),
  )

  server.registerTool(
    'read_experiment',
    {
      description:
        'An experiment: its verdict with the interval that decides, what that rests on, and each round. Nothing is to be concluded before it says so.',
      inputSchema: { project, experiment },
      annotations: readOnly,
    },
    ({ project: slug, experiment: id }) =>
      said(async () =>
        answer(experimentReport(await experiments.getExperiment(await grant(viewer, { slug }, 'read'), id)), rest),
      ),
  )
}

/** Plans an experiment, follows it run by run, and stops it, as a request of the viewer's own would. */
export function offerToRun(server: McpServer, viewer: Viewer, request: Request): void {
  const note = noting(viewer, request)

  server.registerTool(
    'start_experiment',
    {
      description:
        'Plans an experiment in rounds: head against base, in an order that is drawn. It stops once it is known which is better, or that none is. Then ask next_experiment_run.',
      inputSchema: { project, ...planSchema.shape },
    },
    ({ project: slug, control: hasControl, ...plan }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'edit')
        const made = await experiments.createExperiment(own, { ...plan, hasControl })
        await note('experiment.create', { project: slug, experiment: made.experiment.id, name: plan.question })
        return answer(experimentReport(made), rest)
      }),
  )

  server.registerTool(
    'next_experiment_run',
    {
      description:
        'What to run next of an experiment: an arm of a round, which is given out once, and how to upload its output; or that others have the rest of the round; or that it is over, and why.',
      inputSchema: { project, experiment },
    },
    ({ project: slug, experiment: id }) =>
      said(async () => {
        const own = await grant(viewer, { slug }, 'upload')
        const next = await experiments.giveNext(own, id, Date.now())
        const told = nextRunOf(next, id)
        if ('stop' in told) return answer([`It is over (${told.state}): ${told.why}.`], rest)
        if ('wait' in told) return `Wait: other runners have ${told.awaited.join(' and ')} of round ${told.round}.`
        await note('experiment.next', { project: slug, experiment: id })
        return [
          `Run ${told.arm}, round ${told.round}.`,
          `Then upload its whole output with run: ${told.upload}`,
          `If there is none: void_experiment_run.`,
        ].join('\n')
      }),
  )

  server.registerTool(
    'void_experiment_run',
    {
      description: 'Reports that an arm of the open round has no output. The round is void, and repeated.',
      inputSchema: { project, experiment, ...voidSchema.shape },
    },
    ({ project: slug, experiment: id, ...place }) =>
      said(async () => {
        await experiments.voidPlace(await grant(viewer, { slug }, 'upload'), id, place)
        await note('experiment.void', { project: slug, experiment: id })
        return `Round ${place.round} is void: ${place.arm}: ${place.reason}.`
      }),
  )

  server.registerTool(
    'stop_experiment',
    {
      description: 'Stops an experiment permanently; its runs stay.',
      inputSchema: { project, experiment },
      annotations: { destructiveHint: true },
    },
    ({ project: slug, experiment: id }) =>
      said(async () => {
        const stopped = await experiments.stopExperiment(await grant(viewer, { slug }, 'edit'), id, new Date())
        await note('experiment.stop', { project: slug, experiment: id })
        return answer(experimentReport(stopped), rest)
      }),
  )
}
