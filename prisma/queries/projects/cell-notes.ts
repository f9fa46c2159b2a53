import { InvalidInputError } from '../../../lib/errors'
import type { StoredCellNote } from '../../../lib/project/stored-cell-notes'
import { codePointCount, storableText } from '../../../lib/text'
import { database } from '../../db'
import { newId } from '../../rows/ids'
import { checkedName, checkedOptionalName } from '../../rows/limits'
import type { Granted } from '../../statements/access'

const maxText = 2_000

/**
 * Why cells of the matrix are empty, one note per scenario × variant × environment, by scenario and variant: the
 * user's, else that of the newest upload. A user's empty text hides the cell's note.
 */
export async function listCellNotes(project: Granted<'read'>): Promise<readonly StoredCellNote[]> {
  const rows = await database().cellNote.findMany({
    where: { projectId: project.id, OR: [{ uploadId: null }, { upload: { deletedAt: null, state: 'saved' } }] },
    orderBy: [{ scenario: 'asc' }, { variant: 'asc' }, { environment: 'asc' }, { createdAt: 'desc' }, { id: 'asc' }],
  })
  const byCell = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const cell = JSON.stringify([row.scenario, row.variant, row.environment])
    if (row.uploadId === null || !byCell.has(cell)) byCell.set(cell, row)
  }
  return [...byCell.values()]
    .filter((row) => row.text !== '')
    .map(({ id, uploadId, scenario, variant, environment, text, line }) => ({
      id,
      uploadId,
      scenario,
      variant,
      environment,
      text,
      line,
    }))
}

/** Sets the user's note of a cell; an empty text hides any note. Throws InvalidInputError. */
export async function setCellNote(
  project: Granted<'edit'>,
  input: {
    readonly scenario: string
    readonly variant: string | null
    readonly environment: string | null
    readonly text: string
  },
): Promise<void> {
  const scenario = checkedName('scenario', input.scenario)
  const variant = checkedOptionalName('variant', input.variant)
  const environment = checkedOptionalName('environment', input.environment)
  const text = storableText(input.text).trim()
  if (codePointCount(text) > maxText) {
    throw new InvalidInputError(`The note is longer than ${maxText} characters.`, { field: 'text' })
  }
  await database().$executeRaw`
    INSERT INTO cell_note (id, project_id, scenario, variant, environment, text)
    VALUES (${newId()}, ${project.id}, ${scenario}, ${variant}, ${environment}, ${text})
    ON CONFLICT (project_id, scenario, COALESCE(variant, ''), COALESCE(environment, '')) WHERE upload_id IS NULL
    DO UPDATE SET text = EXCLUDED.text`
}
