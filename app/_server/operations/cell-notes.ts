import * as cellNotes from '@/prisma/queries/projects/cell-notes'
import { nothing, p } from './operation'
import { cellNoteSchema } from '../schemas'
import { projectOperation } from './project-operation'

export const setCellNote = projectOperation(
  {
    at: `PUT ${p}/cell-notes`,
    summary: 'Set the note of a matrix cell; an empty text removes it',
    needs: 'edit',
    audit: 'cell-note.set',
    body: cellNoteSchema,
    answers: nothing,
  },
  async ({ project, body, note }) => {
    await cellNotes.setCellNote(project, body)
    const { scenario, variant, environment } = body
    note({ name: [scenario, variant, environment].filter((part) => part !== null).join(' › ') })
  },
)
