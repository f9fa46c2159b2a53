import * as cellNotes from '@/prisma/queries/cell-notes'
import { conflict, nothing, p } from './operation'
import { cellNoteSchema } from '../schemas'
import { projectOperation } from './project-operation'

export const setCellNote = projectOperation(
  {
    at: `PUT ${p}/cell-notes`,
    summary: 'Set the note of a matrix cell; without text, remove it',
    needs: 'edit',
    audit: 'cell-note.set',
    body: cellNoteSchema,
    answers: nothing,
    problems: conflict,
  },
  ({ project, body }) => cellNotes.setCellNote(project, body),
)
