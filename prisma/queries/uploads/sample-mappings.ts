import { z } from 'zod'
import { ConflictError, InvalidInputError, NotFoundError } from '../../../lib/errors'
import { columnMappingSchema, type ColumnMapping, type NamedMapping } from '../../../lib/run/column-mapping'
import type { UtcIso } from '../../../lib/run/run'
import { database } from '../../db'
import { jsonColumn } from '../../rows/json-columns'
import { requireProject, type Granted } from '../../statements/access'

const maxMappings = 200
const nameSchema = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)

/** A mapping that a project keeps. */
export interface StoredMapping extends NamedMapping {
  /** Name of the account that wrote it last; null: the account was deleted, or there are no accounts. */
  readonly setBy: string | null
  readonly setAt: UtcIso
}

const columns = { name: true, mapping: true, setAt: true, setBy: { select: { name: true } } } as const

interface MappingRow {
  readonly name: string
  readonly mapping: unknown
  readonly setAt: Date
  readonly setBy: { readonly name: string } | null
}

const toMapping = ({ name, mapping, setAt, setBy }: MappingRow): StoredMapping => ({
  name,
  mapping: columnMappingSchema.parse(mapping),
  setBy: setBy?.name ?? null,
  setAt: setAt.toISOString(),
})

/** The mappings of a project, by name. */
export async function listMappings(project: Granted<'read'>): Promise<readonly StoredMapping[]> {
  const found = await database().sampleMapping.findMany({
    where: { projectId: project.id },
    orderBy: { name: 'asc' },
    take: maxMappings,
    select: columns,
  })
  return found.map(toMapping)
}

/** One of them. Throws NotFoundError. */
export async function getMapping(project: Granted<'read'>, name: string): Promise<StoredMapping> {
  return readMapping(project.id, name)
}

/** The mapping that an upload names, for viewers who may upload. Throws NotFoundError. */
export async function getUploadMapping(project: Granted<'upload'>, name: string): Promise<NamedMapping> {
  const { mapping } = await readMapping(project.id, name)
  return { name, mapping }
}

async function readMapping(projectId: string, name: string): Promise<StoredMapping> {
  const found = nameSchema.safeParse(name).success
    ? await database().sampleMapping.findFirst({ where: { projectId, name }, select: columns })
    : null
  if (found === null)
    throw new NotFoundError('Mapping', 'GET /api/v1/projects/{project}/mappings lists those that there are.')
  return toMapping(found)
}

/**
 * Stores a mapping under its name, replacing the one before. Throws NotFoundError, InvalidInputError for an invalid
 * name, ConflictError beyond 200 in a project.
 */
export async function setMapping(
  granted: Granted<'edit'>,
  { name, mapping }: { readonly name: string; readonly mapping: ColumnMapping },
  now: Date,
): Promise<StoredMapping> {
  return database().$transaction(async (tx) => {
    const { viewer } = granted
    const project = await requireProject(tx, viewer, granted.id, 'edit')
    if (!nameSchema.safeParse(name).success)
      throw new InvalidInputError(
        'A name is up to 64 of a-z, 0-9, dot, _ and -, and begins with one of the first two.',
        {
          field: 'name',
        },
      )
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    const others = await tx.sampleMapping.count({ where: { projectId: project.id, name: { not: name } } })
    if (others >= maxMappings)
      throw new ConflictError(`A project has at most ${maxMappings} mappings.`, 'Delete those that are not used.')
    const setById = viewer.kind === 'member' || viewer.kind === 'token' ? viewer.accountId : null
    const data = { mapping: jsonColumn(mapping), setById, setAt: now }
    const kept = await tx.sampleMapping.upsert({
      where: { projectId_name: { projectId: project.id, name } },
      create: { projectId: project.id, name, ...data },
      update: data,
      select: columns,
    })
    return toMapping(kept)
  })
}

/** Deletes a mapping; uploads that were read by it keep their copy. Throws NotFoundError. */
export async function deleteMapping(project: Granted<'edit'>, name: string): Promise<void> {
  const where = { projectId: project.id, name }
  const count = nameSchema.safeParse(name).success ? (await database().sampleMapping.deleteMany({ where })).count : 0
  if (count === 0) throw new NotFoundError('Mapping')
}
