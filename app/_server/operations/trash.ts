import { plural } from '@/lib/format'
import { grant } from '@/prisma/queries/projects/projects'
import * as trash from '@/prisma/queries/projects/trash'
import { trashAnswer } from '../answers/run-answers'
import { json, nothing, p } from './operation'
import { trashSchema } from '../schemas'
import { projectOperation } from './project-operation'

export const listTrash = projectOperation(
  {
    at: `GET ${p}/trash`,
    summary: 'Contents of the trash',
    needs: 'read',
    answers: { 200: json('Trashed runs and uploads.', trashAnswer) },
  },
  ({ project }) => trash.listTrash(project),
)

export const changeTrash = projectOperation(
  {
    at: `POST ${p}/trash`,
    summary: 'Restore from the trash, or delete permanently (admins only)',
    needs: 'edit',
    audit: 'trash.change',
    body: trashSchema,
    answers: nothing,
  },
  async ({ project, body: { action, runs: runIds, uploads: uploadIds }, note }) => {
    const choice = { runIds, uploadIds }
    if (action === 'restore') await trash.restoreFromTrash(project, choice)
    else await trash.destroyTrash(await grant(project.viewer, project, 'administer'), choice)
    const chosen = `${plural(runIds.length, 'run')}, ${plural(uploadIds.length, 'upload')}`
    note({ name: `${action === 'restore' ? 'restored' : 'deleted permanently'}: ${chosen}` })
  },
)
