import { z } from 'zod'
import type { RunFigures } from '../../lib/run/figures'
import { Prisma } from '../generated/client'

/** The columns that hold a run's figures, for Prisma's `select`. */
export const figureColumns = {
  requests: true,
  requestsPerSecond: true,
  throughputPerSecond: true,
  minMs: true,
  meanMs: true,
  stdDevMs: true,
  p50Ms: true,
  p75Ms: true,
  p90Ms: true,
  p95Ms: true,
  p99Ms: true,
  p999Ms: true,
  maxMs: true,
  successRatio: true,
  errorCount: true,
  errorRatio: true,
  bytesIn: true,
  bytesOut: true,
  durationMs: true,
  billedMs: true,
  initMs: true,
  maxMemoryUsedMb: true,
} as const satisfies Record<keyof RunFigures, true>

/** A row's figures without its other columns. */
export function toFigures(row: RunFigures): RunFigures {
  return {
    requests: row.requests,
    requestsPerSecond: row.requestsPerSecond,
    throughputPerSecond: row.throughputPerSecond,
    minMs: row.minMs,
    meanMs: row.meanMs,
    stdDevMs: row.stdDevMs,
    p50Ms: row.p50Ms,
    p75Ms: row.p75Ms,
    p90Ms: row.p90Ms,
    p95Ms: row.p95Ms,
    p99Ms: row.p99Ms,
    p999Ms: row.p999Ms,
    maxMs: row.maxMs,
    successRatio: row.successRatio,
    errorCount: row.errorCount,
    errorRatio: row.errorRatio,
    bytesIn: row.bytesIn,
    bytesOut: row.bytesOut,
    durationMs: row.durationMs,
    billedMs: row.billedMs,
    initMs: row.initMs,
    maxMemoryUsedMb: row.maxMemoryUsedMb,
  }
}

const names = Object.keys(figureColumns)
/** The column of a field of ours. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The same columns for raw SQL, under the names of the figures. No input goes into it. */
export const figureColumnsSql = Prisma.raw(names.map((name) => `${columnOf(name)} AS "${name}"`).join(', '))

const figure = z.number().nullable()

/** The shape of the figures in a row read by raw SQL. */
export const figuresSchema = {
  requests: figure,
  requestsPerSecond: figure,
  throughputPerSecond: figure,
  minMs: figure,
  meanMs: figure,
  stdDevMs: figure,
  p50Ms: figure,
  p75Ms: figure,
  p90Ms: figure,
  p95Ms: figure,
  p99Ms: figure,
  p999Ms: figure,
  maxMs: figure,
  successRatio: figure,
  errorCount: figure,
  errorRatio: figure,
  bytesIn: figure,
  bytesOut: figure,
  durationMs: figure,
  billedMs: figure,
  initMs: figure,
  maxMemoryUsedMb: figure,
} as const satisfies Record<keyof RunFigures, z.ZodType<number | null>>
