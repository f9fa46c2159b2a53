import { z } from 'zod'
import { ConflictError, InvalidInputError, NotFoundError } from '@/lib/errors'
import { isStorableTimestamp } from '@/lib/run/timestamp'
import type { UtcIso } from '@/lib/run/run'
import type { ProjectAddress } from '@/lib/project/stored-projects'
import { unnamedUpload } from '@/lib/project/upload-title'
import type { Viewer } from '@/lib/viewer'
import { readPair } from '@/lib/text'
import { takeCounted } from '@/prisma/queries/accounts/counted-limits'
import { createProject, findProject, findUploadTarget, grant, type Granted } from '@/prisma/queries/projects/projects'
import type { BodyClaims } from './receive-upload'
import type { UploadPlace, UploadRequest } from './import-upload'
import { labelsSchema, slugSchema } from '../schemas'
import { settings } from '../settings'
import { readProgressId } from './upload-progress'

/** Parameters of an upload's query. */
const parameters = [
  'name',
  'create',
  'label',
  'draft',
  'keepSecrets',
  'again',
  'scenario',
  'variant',
  'environment',
  'startedAt',
  'merge',
  'gate',
  'candidate',
  'control',
  'experiment',
  'arm',
  'round',
  'mapping',
  'wait',
  'repeat',
  'strict',
  'format',
] as const
export type UploadParameter = (typeof parameters)[number]

const known: ReadonlySet<string> = new Set(parameters)

/**
 * The project of an upload. With `create=1` in the address, an unknown one is created, named as its slug; otherwise the
 * error gives the command that creates it. Throws NotFoundError, InvalidInputError.
 */
export async function projectForUpload(
  viewer: Viewer,
  slug: string,
  url: URL,
  origin: string,
): Promise<Granted<'upload'>> {
  const target = await findUploadTarget(viewer, slug, 'upload')
  if (target) return target
  if (isOn(url, 'create')) return grant(viewer, await createOnce(viewer, slug), 'upload')
  const command = `curl -sS --json '{"name":"${slug}","slug":"${slug}"}' ${origin}/api/v1/projects`
  const hint = `Add create=1 to the URL, or create it first: ${command}`
  throw new NotFoundError(`Project ${slug}`, slugSchema.safeParse(slug).success ? hint : null)
}

/** Counts an upload of a token; people are not counted. Throws TooManyRequestsError when that was one too many. */
export function countUpload(sender: Viewer): void {
  if (sender.kind !== 'token') return
  const { uploadsPerMinute, uploadsPerHour } = settings().tokenLimits
  takeCounted({ name: 'token uploads minute', points: uploadsPerMinute, seconds: 60 }, sender.tokenId)
  takeCounted({ name: 'token uploads hour', points: uploadsPerHour, seconds: 3_600 }, sender.tokenId)
}

/** Of two concurrent uploads, one creates the project. */
async function createOnce(viewer: Viewer, slug: string): Promise<ProjectAddress> {
  try {
    return await createProject(viewer, { slug, name: slug })
  } catch (error) {
    const project = error instanceof ConflictError ? await findProject(viewer, slug) : null
    if (project === null) throw error
    return project
  }
}

const isOn = (url: URL, key: string): boolean => ['1', 'true', ''].includes(url.searchParams.get(key) ?? '0')

/** The last part of an address's path, decoded. Throws InvalidInputError when it cannot be decoded. */
export function lastSegment(address: string): string {
  const part = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    throw new InvalidInputError('The name in the address cannot be decoded.', { field: 'name' })
  }
}

/**
 * Reads the query string of an upload; `fileName`: its name if the query gives none. Throws InvalidInputError, also for
 * unknown parameters.
 */
export function readUploadRequest(url: URL, headers: Headers, fileName: string | null): Omit<UploadRequest, 'project'> {
  for (const key of url.searchParams.keys()) {
    if (!known.has(key)) {
      throw new InvalidInputError(`Unknown parameter ${key}.`, {
        field: key,
        hint: `Known are ${[...known].join(', ')}.`,
      })
    }
  }
  const text = (key: string, limit = 200, given = url.searchParams.get(key)) => {
    const value = given?.trim()
    if (value && [...value].length > limit)
      throw new InvalidInputError(`${key} is longer than ${limit} characters.`, { field: key })
    return value || undefined
  }
  const flag = (key: string) => isOn(url, key)
  if (flag('merge') && flag('draft')) {
    const hint = 'Choose the runs to merge in the preview of a draft, or send them as "merge" to POST …/save.'
    throw new InvalidInputError('merge=1 is for runs that are saved at once.', { field: 'merge', hint })
  }
  if (flag('control') && flag('draft')) {
    const hint = 'Save the draft, then mark its series in the settings, under Environments.'
    throw new InvalidInputError('control=1 is for runs that are saved at once.', { field: 'control', hint })
  }
  const place = readPlace(url.searchParams)
  if (place !== undefined && flag('draft')) {
    const hint = 'Leave draft away, or upload the run without experiment.'
    throw new InvalidInputError('A run of an experiment is saved at once.', { field: 'draft', hint })
  }
  const labels = url.searchParams.getAll('label').map((label) => {
    const pair = readPair(label)
    if (pair === null)
      throw new InvalidInputError(`label=${label} is not key=value.`, {
        field: 'label',
        hint: 'Write label=commit=abc123.',
      })
    return pair
  })
  return {
    name: text('name', 255) ?? text('name', 255, fileName) ?? unnamedUpload,
    labels: labelsSchema.parse({ ...Object.fromEntries(labels), ...placeLabels(place) }),
    place,
    scenario: text('scenario'),
    variant: text('variant'),
    environment: text('environment'),
    startedAt: readStart(text('startedAt')),
    again: flag('again'),
    draft: flag('draft'),
    merge: flag('merge'),
    keepSecrets: flag('keepSecrets'),
    gate: flag('gate'),
    candidate: url.searchParams.has('candidate') ? flag('candidate') : place && true,
    control: flag('control'),
    idempotencyKey: readKey(headers),
    mappingName: text('mapping'),
    progressId: readProgressId(headers),
  }
}

const placeSchema = z.object({
  experiment: z.string().min(1).max(40),
  arm: z.enum(['base', 'head', 'control', 'best', 'attempt']),
  round: z.coerce.number().int().min(1).max(9_999),
})

/** The arm of a round of an experiment; undefined: the upload names none. Throws InvalidInputError for a part of it. */
function readPlace(params: URLSearchParams): UploadPlace | undefined {
  const given = ['experiment', 'arm', 'round'].filter((key) => params.has(key))
  if (given.length === 0) return undefined
  const read = placeSchema.safeParse(Object.fromEntries(given.map((key) => [key, params.get(key)])))
  if (read.success) return read.data
  const hint = 'Send experiment, arm and round as POST …/next gave them out.'
  throw new InvalidInputError('The place of the run in its experiment is not complete.', { field: 'experiment', hint })
}

const placeLabels = (place: UploadPlace | undefined): Readonly<Record<string, string>> =>
  place === undefined ? {} : { experiment: place.experiment, arm: place.arm, round: String(place.round) }

const start = z.iso.datetime({ offset: true })

/** A time with its zone, as UTC. Throws InvalidInputError. */
function readStart(text: string | undefined): UtcIso | undefined {
  if (text === undefined) return undefined
  // In a query string, an unescaped plus is a space.
  const iso = text.replace(/ (?=\d\d:\d\d$)/, '+')
  if (start.safeParse(iso).success && isStorableTimestamp(Date.parse(iso))) return new Date(iso).toISOString()
  const hint = 'Write startedAt=2026-11-21T03:01:26Z; of a file: date -u -r out.txt +%FT%TZ'
  throw new InvalidInputError('startedAt is not a time with a time zone.', { field: 'startedAt', hint })
}

/** `Idempotency-Key`, as a structured string or bare; at most 255 characters. Throws InvalidInputError. */
function readKey(headers: Headers): string | undefined {
  const value = headers.get('idempotency-key')?.trim()
  if (value === undefined) return undefined
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new InvalidInputError('Idempotency-Key is not 1 to 255 printable ASCII characters.', {
    field: 'idempotency-key',
  })
}

/**
 * What the headers claim about the body: its length, and its SHA-256 as `Content-SHA256` (hexadecimal) or as a
 * structured `Repr-Digest`, `Content-Digest` or `Digest` (base64). Throws InvalidInputError for an invalid hash, for
 * two that differ, and for a content coding other than gzip.
 */
export function readBodyClaims(headers: Headers): BodyClaims {
  const length = headers.get('content-length')
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'gzip' && coding !== 'identity') {
    const hint = 'Send the file as it is, or packed by gzip.'
    throw new InvalidInputError(`Content-Encoding ${coding} is not supported.`, { field: 'content-encoding', hint })
  }
  const claimed = digestHeaders.flatMap((name) => {
    const sha256 = readDigest(name, headers.get(name))
    return sha256 === null ? [] : [sha256]
  })
  if (new Set(claimed).size > 1)
    throw new InvalidInputError('Two headers give different SHA-256 hashes.', { field: 'digest' })
  return {
    contentLength: length !== null && /^\d+$/.test(length) ? Number(length) : null,
    sha256: claimed[0] ?? null,
    isGzip: coding === 'gzip',
  }
}

const digestHeaders = ['content-sha256', 'content-digest', 'repr-digest', 'digest'] as const

/** Lower-case hex; null if the header is absent or has other hashes only. RFC 9530, and RFC 3230 for `Digest`. */
function readDigest(name: (typeof digestHeaders)[number], value: string | null): string | null {
  if (value === null) return null
  if (name === 'content-sha256') {
    if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
    throw new InvalidInputError('Content-SHA256 is not 64 hexadecimal digits.', { field: name })
  }
  const found = /(?:^|,)\s*sha-256=([^,;]*)/i.exec(value)?.[1]?.trim()
  if (found === undefined) return null
  const base64 = /^:?([A-Za-z0-9+/]{43}=):?$/.exec(found)?.[1]
  if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex')
  const hint = 'Write sha-256=:BASE64:'
  throw new InvalidInputError(`The sha-256 of ${name} is not 32 bytes in base64.`, { field: name, hint })
}
