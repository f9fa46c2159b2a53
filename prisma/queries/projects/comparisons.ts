import { z } from 'zod'
import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import { longestRefs, readRef, readSides } from '../../../lib/judge/compare-url'
import {
  comparisonKinds,
  type ComparisonEdits,
  type ComparisonKind,
  type SavedComparison,
} from '../../../lib/project/stored-comparisons'
import { storableText } from '../../../lib/text'
import { database } from '../../db'
import { isId, newId } from '../../rows/ids'
import { checkedName, checkedNotes } from '../../rows/limits'
import { wordsOf } from '../../search/run-conditions'
import { requireRuns, type Db, type Granted } from '../../statements/access'

/** Fits every option that a page offers. */
const longestView = 4_000
const maxListed = 200

/**
 * The saved comparisons of a project, last changed first, at most `limit` (200); with `text`, those whose name contains
 * each of its words.
 */
export async function listComparisons(
  project: Granted<'read'>,
  { text = '', limit = maxListed }: { readonly text?: string; readonly limit?: number } = {},
): Promise<readonly SavedComparison[]> {
  // Prisma passes `%` and `_` to LIKE as wildcards; here they are letters.
  const contains = wordsOf(text).map((word) => word.replace(/[\\%_]/g, '\\$&'))
  const named = contains.map((word) => ({ name: { contains: word, mode: 'insensitive' as const } }))
  const rows = await database().comparison.findMany({
    where: { projectId: project.id, deletedAt: null, AND: named },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    take: Math.min(Math.max(1, Math.trunc(limit)), maxListed),
  })
  return rows.map((row) => toComparison(row, project.slug))
}

/** Throws NotFoundError. */
export async function getComparison(project: Granted<'read'>, id: string): Promise<SavedComparison> {
  return toComparison(await takeComparison(database(), project.id, id), project.slug)
}

/** Saves a comparison. Throws NotFoundError, InvalidInputError. */
export async function createComparison(
  project: Granted<'edit'>,
  input: ComparisonEdits & { readonly name: string; readonly kind: ComparisonKind },
): Promise<SavedComparison> {
  const data = {
    ...{ id: newId(), projectId: project.id, name: checkedName('name', input.name), kind: input.kind },
    refs: checkedPart('refs', input.refs ?? '', longestRefs),
    view: checkedPart('view', input.view ?? '', longestView),
    notes: checkedNotes(input.notes ?? ''),
    takeaways: checkedNotes(input.takeaways ?? ''),
  }
  await requireCompared(project.id, data)
  return toComparison(await database().comparison.create({ data }), project.slug)
}

/** Changes a saved comparison. Throws NotFoundError, InvalidInputError. */
export async function updateComparison(
  project: Granted<'edit'>,
  id: string,
  edits: ComparisonEdits,
): Promise<SavedComparison> {
  const before = await takeComparison(database(), project.id, id)
  const data = {
    name: edits.name === undefined ? before.name : checkedName('name', edits.name),
    refs: checkedPart('refs', edits.refs ?? before.refs, longestRefs),
    view: checkedPart('view', edits.view ?? before.view, longestView),
    notes: checkedNotes(edits.notes ?? before.notes),
    takeaways: checkedNotes(edits.takeaways ?? before.takeaways),
    updatedAt: new Date(),
  }
  // Its runs may be in the trash by now; newly named ones must exist.
  if (data.refs !== before.refs) await requireCompared(project.id, { kind: before.kind, refs: data.refs })
  return toComparison(await database().comparison.update({ where: { id: before.id }, data }), project.slug)
}

/** Deletes a saved comparison; its runs stay. Throws NotFoundError. */
export async function deleteComparison(project: Granted<'edit'>, id: string): Promise<void> {
  const { id: found } = await takeComparison(database(), project.id, id)
  await database().comparison.update({ where: { id: found }, data: { deletedAt: new Date() } })
}

async function takeComparison(db: Db, projectId: string, id: string) {
  const row = isId(id) ? await db.comparison.findFirst({ where: { id, projectId, deletedAt: null } }) : null
  if (row === null) throw new NotFoundError('Comparison')
  return row
}

/** Runs named by id must be in the project; one named as the newest may not exist yet. */
async function requireCompared(projectId: string, { kind, refs }: { kind: string; refs: string }): Promise<void> {
  if (refs === '' && kind !== 'runs') return
  const sides = readSides(refs)
  if (sides === null) throw new InvalidInputError('A comparison needs runs.', { field: 'refs' })
  const named = sides.flat().map(readRef)
  const ids = named.flatMap((ref) => (ref.kind === 'latest' ? [] : [ref.id]))
  await requireRuns(database(), projectId, ids)
}

function checkedPart(field: string, text: string, longest: number): string {
  const part = storableText(text).trim()
  if (part.length <= longest) return part
  throw new InvalidInputError(`The ${field} is longer than ${longest} characters.`, { field })
}

const kindSchema = z.enum(comparisonKinds)

function toComparison(
  row: {
    readonly id: string
    readonly projectId: string
    readonly name: string
    readonly kind: string
    readonly refs: string
    readonly view: string
    readonly notes: string
    readonly takeaways: string
    readonly createdAt: Date
    readonly updatedAt: Date
  },
  projectSlug: string,
): SavedComparison {
  const { id, projectId, name, refs, view, notes, takeaways } = row
  return {
    id,
    projectId,
    projectSlug,
    name,
    kind: kindSchema.parse(row.kind),
    refs,
    view,
    notes,
    takeaways,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
