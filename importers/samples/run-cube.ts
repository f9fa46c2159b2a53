import type { RunBeside } from '../../lib/run/run'
import type { Samples } from './samples'

/** What a form says of its rows, for their cube. */
export interface CubeForm {
  readonly tool: string
  /** Step of the printed latencies, ms; 0: finer than a bucket. */
  readonly resolutionMs: number
  readonly isOpenLoop: boolean
  readonly decodeError: (bytes: Uint8Array) => string
  /** Absent: rows have no targets. */
  readonly decodeTarget?: (key: Uint8Array) => { readonly method: string | null; readonly url: string | null }
}

const maxErrorLength = 60

/** What was asked for of all rows, as a part of their run: their cube, and each of them. */
export function besideOf(samples: Samples, form: CubeForm): { readonly beside?: RunBeside } {
  const { cube, targets, errors, count, totals, table } = samples
  const rows = table === null ? {} : { rows: table.build() }
  if (cube === null || count === 0) return table === null ? {} : { beside: rows }
  const { decodeTarget = () => ({ method: null, url: null }), decodeError, ...facts } = form
  const addresses = Array.from({ length: targets.size }, (_, index) => decodeTarget(targets.key(index)))
  const { cube: built, boxed } = cube.build({
    ...{ ...facts, ...totals, rows: count },
    targetOf: (index) => nameOf(addresses[index]),
    methodOf: addresses.some(({ method }) => method !== null) ? (index) => addresses[index]?.method ?? null : null,
    errorOf: (kind) => errors.nameOf(kind, decodeError)?.slice(0, maxErrorLength) ?? null,
  })
  const box = boxed === null ? {} : { box: { ...boxed, originS: samples.timelineStartS } }
  return { beside: { ...rows, cube: built, ...box } }
}

/** `GET /items`: without host and query; null: beyond those told apart. */
function nameOf(address: { readonly method: string | null; readonly url: string | null } | undefined): string | null {
  if (address === undefined) return null
  const { method, url } = address
  const path = url === null ? '' : pathOf(url)
  return method === null ? path : `${method} ${path}`
}

/** The path of an address; anything else as it is. */
function pathOf(url: string): string {
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? []
  return path === undefined ? (url.split(/[?#]/, 1)[0] ?? '') : path || '/'
}
