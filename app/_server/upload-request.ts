import { InvalidInputError, NotFoundError } from '@/lib/errors'
import type { ProjectSummary } from '@/lib/stored'
import type { Viewer } from '@/lib/viewer'
import { findProject } from '@/prisma/queries/projects'
import type { BodyClaims } from './receive-upload'
import type { UploadRequest } from './import-upload'
import { labelsSchema, slugSchema } from './schemas'

const known = new Set([
  'name',
  'label',
  'draft',
  'again',
  'scenario',
  'variant',
  'environment',
  'gate',
  'wait',
  'format',
])

/** The project of an upload; an unknown one is answered with the command that makes it. */
export async function projectForUpload(viewer: Viewer, slug: string, origin: string): Promise<ProjectSummary> {
  const project = await findProject(viewer, slug)
  if (project) return project
  const command = `curl -sS --json '{"name":"${slug}","slug":"${slug}"}' ${origin}/api/v1/projects`
  throw new NotFoundError(`Project ${slug}`, slugSchema.safeParse(slug).success ? `Make it first: ${command}` : null)
}

/** Reads the query string of an upload. Throws InvalidInputError, also for parameters that nobody knows. */
export function readUploadRequest(url: URL, project: ProjectSummary): UploadRequest {
  for (const key of url.searchParams.keys()) {
    if (!known.has(key)) {
      throw new InvalidInputError(`Unknown parameter ${key}.`, {
        field: key,
        hint: `Known are ${[...known].join(', ')}.`,
      })
    }
  }
  const text = (key: string, limit = 200) => {
    const value = url.searchParams.get(key)?.trim()
    if (value && [...value].length > limit)
      throw new InvalidInputError(`${key} is longer than ${limit} characters.`, { field: key })
    return value || undefined
  }
  const flag = (key: string) => ['1', 'true', ''].includes(url.searchParams.get(key) ?? '0')
  const labels = url.searchParams.getAll('label').map((label): [string, string] => {
    const at = label.indexOf('=')
    if (at < 1)
      throw new InvalidInputError(`label=${label} is not key=value.`, {
        field: 'label',
        hint: 'Write label=commit=abc123.',
      })
    return [label.slice(0, at).trim(), label.slice(at + 1).trim()]
  })
  return {
    project,
    name: text('name', 255) ?? 'upload.txt',
    labels: labelsSchema.parse(Object.fromEntries(labels)),
    scenario: text('scenario'),
    variant: text('variant'),
    environment: text('environment'),
    again: flag('again'),
    draft: flag('draft'),
    gate: flag('gate'),
  }
}

/** What the headers announce of the body. Throws InvalidInputError for a hash that is none. */
export function readBodyClaims(headers: Headers): BodyClaims {
  const length = headers.get('content-length')
  const sha256 = headers.get('content-sha256')?.toLowerCase() ?? null
  if (sha256 !== null && !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new InvalidInputError('Content-SHA256 is not 64 hexadecimal digits.', { field: 'content-sha256' })
  }
  return { contentLength: length !== null && /^\d+$/.test(length) ? Number(length) : null, sha256 }
}
