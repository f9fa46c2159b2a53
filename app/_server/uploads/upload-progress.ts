import { z } from 'zod'
import { ConflictError } from '@/lib/errors'
import type { Granted } from '@/prisma/queries/projects/projects'
import {
  cancelReported,
  findReportedProgress,
  reportProgress,
  type UploadProgress,
} from '@/prisma/queries/uploads/upload-progress'
import { settings } from '../settings'

/** An upload in progress, reported by the code that does it. */
export interface UploadTrack {
  received(bytes: number): void
  read(bytes: number): void
  storing(): void
  /** A draft was made. False: the upload was cancelled before, and the caller must discard the draft. */
  stored(uploadId: string): Promise<boolean>
  /** The response is sent; a draft can still be cancelled for a minute. */
  end(): void
  /** Aborted when the sender cancels by name, whatever its connection does; the reason is the error to answer with. */
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
/** How often an upload is reported to other instances, and learns of its cancel there. */
const REPORT_MS = 500
/** Beyond this, uploads continue without being reported. */
const maxEntries = 1_000

/** Stored on globalThis: each route of Next has its own copy of this module in one process. */
const key = Symbol.for('tailboard.uploads')
function entries(): Map<string, Entry> {
  const holder = globalThis as { [key]?: Map<string, Entry> }
  return (holder[key] ??= new Map())
}

/** Whether another instance may be asked about an upload received here: an embedded database has one process only. */
const hasOthers = (): boolean => settings().databaseUrl !== null

const nameOf = (project: { readonly id: string }, id: string): string => `${project.id}/${id}`

/** The sender's id for its upload. */
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

/**
 * A signal that is aborted with the entry's; its reason is made here, where the upload is received: errors of other
 * routes are of other classes.
 */
function signalOf({ controller: { signal } }: Entry): AbortSignal {
  const own = new AbortController()
  const abort = () => own.abort(new ConflictError('The upload was cancelled.', 'Nothing was saved.'))
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return own.signal
}

function forgetLater(name: string): void {
  setTimeout(() => entries().delete(name), KEPT_MS).unref()
}

/** Begins to track an upload; `givenId` null: its progress is not polled. */
export async function trackUpload(project: Granted<'upload'>, givenId: string | null): Promise<UploadTrack> {
  const id = givenId ?? crypto.randomUUID()
  const name = nameOf(project, id)
  const entry: Entry = open(name)
  const signal = signalOf(entry)
  const report = async () => {
    if (await reportProgress(project, id, entry)) entry.controller.abort()
  }
  const isReported = givenId !== null && hasOthers()
  if (isReported) await report()
  const reports = isReported
    ? setInterval(() => void report().catch(() => undefined), REPORT_MS).unref() // the upload meets the failure itself
    : undefined
  return {
    received: (bytes) => (entry.receivedBytes += bytes),
    read: (bytes) => (entry.readBytes += bytes),
    storing: () => (entry.isStoring = true),
    async stored(uploadId) {
      entry.uploadId = uploadId
      if (isReported) await report()
      return !isReported || !entry.controller.signal.aborted
    },
    end() {
      clearInterval(reports)
      if (givenId === null) entries().delete(name)
      else forgetLater(name)
    },
    signal,
  }
}

/** The progress of an upload, on any instance; null: it is unknown, cancelled, or long over. */
export async function findProgress(project: Granted<'read'>, id: string): Promise<UploadProgress | null> {
  const entry = entries().get(nameOf(project, id))
  if (entry === undefined) return hasOthers() ? findReportedProgress(project, id) : null
  if (entry.controller.signal.aborted) return null
  const { receivedBytes, readBytes, isStoring } = entry
  return { receivedBytes, readBytes, isStoring }
}

/**
 * Stops an upload, even one whose bytes have all arrived, or one that is about to come. Returns the draft that it
 * already made, which the caller must discard; null: there is none, and none will be made.
 */
export async function cancelUpload(project: Granted<'upload'>, id: string): Promise<string | null> {
  if (hasOthers()) {
    // This decides which came first, the draft or the cancel.
    const draftId = await cancelReported(project, id)
    const entry = entries().get(nameOf(project, id))
    if (draftId === null) entry?.controller.abort()
    return draftId
  }
  const name = nameOf(project, id)
  const entry = open(name)
  entry.controller.abort()
  forgetLater(name)
  return entry.uploadId
}
