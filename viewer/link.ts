import { deflate, inflate } from 'pako'
import * as z from 'zod'
import { localRuns } from '@/lib/files/local-runs'
import type { StoredRun } from '@/lib/history/stored-runs'
import { importedRunSchema } from '@/lib/run/imported-run-schema'

/** Longest link that mails and chats leave whole. */
export const maxLinkBytes = 8 * 1024
const version = 1

const recordSchema = z.object({ id: z.string(), upload: z.string(), at: z.iso.datetime(), run: importedRunSchema })
const recordsSchema = z.array(z.array(recordSchema).min(1)).min(1)

/** What stands behind a `#`: sides, or why they cannot be shown; null: no link of ours. */
export type ReadLink =
  | { readonly kind: 'sides'; readonly sides: readonly (readonly StoredRun[])[] }
  | { readonly kind: 'refused'; readonly sentence: string }
  | null

/**
 * Sides as the part of an address behind `#`: names and figures, without the lines around them.
 * Their secrets have been masked when they were read. Null: they do not fit.
 */
export function writeLink(sides: readonly (readonly StoredRun[])[]): string | null {
  const records = sides.map((side) => side.map(recordOf))
  const bytes = deflate(new TextEncoder().encode(JSON.stringify(records)), { level: 9 })
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = `v${version}.${btoa(letters)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')}`
  return text.length < maxLinkBytes ? text : null
}

function recordOf({ id, uploadId, uploadedAt, imported, ...run }: StoredRun): z.input<typeof recordSchema> {
  const { scenario, variant, environment, labels } = run
  const proposal = { ...imported.proposal, scenario, variant, environment, labels, sources: {} }
  const context = { headings: [], lines: [1, 1] as const, facts: [], notes: [] }
  return { id, upload: uploadId, at: uploadedAt, run: { ...imported, proposal, context } }
}

/** Reads the part of an address behind `#`. */
export function readLink(hash: string, nowMs: number): ReadLink {
  const [, number, text = ''] = /^#?v(\d{1,9})\.(.*)$/s.exec(hash) ?? []
  if (number === undefined) return null
  if (Number(number) !== version)
    return {
      kind: 'refused',
      sentence: `This link was made by a newer Tailboard (version ${number} of links; this viewer reads version ${version}). Open it with a newer viewer.`,
    }
  const records = recordsOf(text)
  if (records === null)
    return { kind: 'refused', sentence: 'This link is damaged: it was cut or changed on its way. Ask for it again.' }
  return { kind: 'sides', sides: records.map((side) => side.map((record) => runOf(record, nowMs))) }
}

function recordsOf(text: string): z.infer<typeof recordsSchema> | null {
  if (text.length > maxLinkBytes || !/^[\w-]+$/.test(text)) return null
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = inflate(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)))
    return recordsSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    // Base64, zlib, its checksum, JSON or the schema: for the reader it is one damage.
    return null
  }
}

function runOf({ id, upload, at, run }: z.infer<typeof recordSchema>, nowMs: number): StoredRun {
  const file = { encoding: null, lineCount: null, runs: [run], problems: [], cellNotes: [] }
  const [made] = localRuns([{ input: { name: id, path: null }, writtenAt: new Date(at), file }], nowMs)
  if (made === undefined) throw new Error('a file of one run is a run')
  return { ...made, id, uploadId: upload, upload: { ...made.upload, id: upload } }
}
