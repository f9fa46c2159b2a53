import { z } from 'zod'
import { InvalidInputError, NotFoundError } from '../../../lib/errors'
import { annotationKinds, type Annotation } from '../../../lib/project/annotations'
import { clipText, storableText } from '../../../lib/text'
import { database } from '../../db'
import { isId, newId } from '../../rows/ids'
import { requireProject, type Granted } from '../../statements/access'

const maxAnnotations = 5_000
const shownAnnotations = 500
const longestText = 500

/** The newest 500 annotations of a project, oldest first; with a scenario, its own and those of the whole project. */
export async function listAnnotations(
  project: Granted<'read'>,
  scenario: string | null,
): Promise<readonly Annotation[]> {
  const narrowed = scenario === null ? {} : { OR: [{ scenario: null }, { scenario: storableText(scenario) }] }
  const found = await database().annotation.findMany({
    where: { projectId: project.id, ...narrowed },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: shownAnnotations,
  })
  return found
    .map(({ id, kind, text, at, scenario: about }) => ({
      id,
      kind: z.enum(annotationKinds).parse(kind),
      text,
      at: at.toISOString(),
      scenario: about,
    }))
    .reverse()
}

/** Adds an annotation. Throws NotFoundError, InvalidInputError beyond 5,000 in a project. */
export async function addAnnotation(granted: Granted<'edit'>, input: Omit<Annotation, 'id'>): Promise<Annotation> {
  return database().$transaction(async (tx) => {
    const project = await requireProject(tx, granted.viewer, granted.id, 'edit')
    await tx.$executeRaw`SELECT 1 FROM project WHERE id = ${project.id} FOR UPDATE`
    if ((await tx.annotation.count({ where: { projectId: project.id } })) >= maxAnnotations)
      throw new InvalidInputError(`A project has at most ${maxAnnotations} annotations.`, { field: 'text' })
    const text = clipText(storableText(input.text), longestText)
    const scenario = input.scenario === null ? null : storableText(input.scenario)
    const { kind, at } = input
    const data = { id: newId(), projectId: project.id, kind, text, scenario, at: new Date(at) }
    const made = await tx.annotation.create({ data })
    return { id: made.id, kind, text, scenario, at: made.at.toISOString() }
  })
}

/** Removes an annotation. Throws NotFoundError. */
export async function deleteAnnotation(project: Granted<'edit'>, annotationId: string): Promise<void> {
  if (!isId(annotationId)) throw new NotFoundError('Annotation')
  const { count } = await database().annotation.deleteMany({ where: { id: annotationId, projectId: project.id } })
  if (count === 0) throw new NotFoundError('Annotation')
}
