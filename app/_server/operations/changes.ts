import { z } from 'zod'
import { NotFoundError } from '@/lib/errors'
import { readVersions } from '@/prisma/queries/projects/project-versions'
import { changeStream } from '../live/change-stream'
import { file, orJson, p } from './operation'
import { projectOperation } from './project-operation'

const versionAnswer = z.object({
  version: z.string().describe('Goes up with every change that a page may show: a decimal integer.'),
})

export const watchChanges = projectOperation(
  {
    at: `GET ${p}/changes`,
    summary: 'The version of a project, or a stream of it',
    needs: 'read',
    answers: {
      200: orJson(
        file(
          'With `Accept: text/event-stream`: an event `data: <version>` now and after each change, until the right to read ends. Otherwise the version as JSON.',
          'text/event-stream',
        ),
        versionAnswer,
      ),
    },
    problems: { 429: ['too-many-requests'], 503: ['busy'] },
  },
  async ({ project, request }) => {
    const [version] = await readVersions([project], new Date())
    if (version == null) throw new NotFoundError('Project')
    const accept = request.headers.get('accept') ?? ''
    return accept.includes('text/event-stream') ? changeStream(project, version) : { version }
  },
)
