import { z } from 'zod'

/** How far an upload in progress has come. Bytes are those sent, packed as they are. */
export interface UploadProgress {
  readonly receivedBytes: number
  /** What the importers have taken so far. A zip is read from its end, when all of it is there: 0 until then. */
  readonly readBytes: number
  /** Everything is read; what was found is being stored. */
  readonly isStoring: boolean
}

/** An upload in progress, reported by the code that does it. */
export interface UploadTrack {
  received(bytes: number): void
  read(bytes: number): void
  storing(): void
  /** A draft was made. */
  stored(uploadId: string): void
  /** The response is given; a draft can still be taken back for a minute. */
  end(): void
  /** Aborted when the sender cancels by name, whatever its connection does. */
  readonly signal: AbortSignal
}

interface Entry {
  receivedBytes: number
  readBytes: number
  isStoring: boolean
  uploadId: string | null
  readonly controller: AbortController
}

const KEPT_MS = 60_000
/** Beyond it, uploads continue without being reported. */
const maxEntries = 1_000

/** Stored on globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.uploads')
function entries(): Map<string, Entry> {
  const holder = globalThis as { [key]?: Map<string, Entry> }
  return (holder[key] ??= new Map())
}

const nameOf = (projectId: string, id: string): string => `${projectId}/${id}`

/** What a sender calls its upload. */
export const progressIdSchema = z.uuid('Upload-Progress is not a UUID.')

/** The id that the sender gave its upload in the header `Upload-Progress`; null: none. Throws ZodError. */
export const readProgressId = (headers: Headers): string | null =>
  progressIdSchema.nullable().parse(headers.get('upload-progress'))

function open(name: string): Entry {
  const made = { receivedBytes: 0, readBytes: 0, isStoring: false, uploadId: null, controller: new AbortController() }
  const entry = entries().get(name) ?? made
  if (entries().size < maxEntries) entries().set(name, entry)
  return entry
}

function forgetLater(name: string): void {
  setTimeout(() => entries().delete(name), KEPT_MS).unref()
}

/** Begins to track an upload; `id` null: nobody asks. */
export function trackUpload(projectId: string, id: string | null): UploadTrack {
  const name = nameOf(projectId, id ?? crypto.randomUUID())
  const entry: Entry = open(name)
  return {
    received: (bytes) => (entry.receivedBytes += bytes),
    read: (bytes) => (entry.readBytes += bytes),
    storing: () => (entry.isStoring = true),
    stored: (uploadId) => (entry.uploadId = uploadId),
    end: () => (id === null ? entries().delete(name) : forgetLater(name)),
    signal: entry.controller.signal,
  }
}

/** How far an upload has come; null: it is unknown here, or long over. */
export function findProgress(projectId: string, id: string): UploadProgress | null {
  const entry = entries().get(nameOf(projectId, id))
  if (entry === undefined) return null
  const { receivedBytes, readBytes, isStoring } = entry
  return { receivedBytes, readBytes, isStoring }
}

/**
 * Stops an upload, also one whose bytes are all here, and one that is about to come. Answers the draft that it made
 * already, which is then to be discarded; null: there is none, and none will be.
 */
export function cancelUpload(projectId: string, id: string): string | null {
  const name = nameOf(projectId, id)
  const entry = open(name)
  entry.controller.abort()
  forgetLater(name)
  return entry.uploadId
}
