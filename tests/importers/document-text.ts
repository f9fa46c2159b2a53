import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importFile } from '../../importers/index'
import type { ImportedFile } from '../../lib/run/run'

/** A text as a single chunk of bytes. */
export async function* chunks(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === 'string' ? new TextEncoder().encode(text) : text
}

/** Imports a document written by a test. */
export function readText(text: string): Promise<ImportedFile> {
  return importFile(chunks(text))
}

/** The error that a promise rejects with; null if it does not. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  )
}

/** The text of a fixture, without trailing line feeds. */
export function fixtureText(path: string): string {
  return readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8').trimEnd()
}

/** One report of each tool, for embedding in documents. */
export const reports = {
  hey: fixtureText('hey-text/tabs-as-spaces.txt'),
  vegeta: fixtureText('vegeta-text/attack-01-12.13.0.txt'),
  wrk: fixtureText('wrk-text/latency.txt'),
  lambda:
    'REPORT RequestId: 49dc9b34-eae3-432d-b8c1-15d69a1f7aa5\tDuration: 52.33 ms\tBilled Duration: 53 ms\tMemory Size: 128 MB\tMax Memory Used: 58 MB\t',
}
