import { z } from 'zod'
import { toCsv } from '@/lib/export/csv'
import { InvalidInputError, NotFoundError } from '@/lib/errors'
import { toHgrm } from '@/lib/export/hgrm'
import type { ImportedRun } from '@/lib/run/run'
import { findLatency, percentileRows, targetRows, timelineRows } from '@/lib/export/run-csv'

const fileSchema = z.enum(['percentiles.csv', 'timeline.csv', 'targets.csv', 'latency-ms.hgrm'])
const ofSchema = z.enum(['all', 'success', 'failure', 'recorded', 'uncorrected']).nullable()

/**
 * A part of a run as a file to download: `percentiles.csv`, `timeline.csv`, `targets.csv`, or `latency-ms.hgrm` (with
 * `of`, one distribution). Throws NotFoundError for another name and for a part that the run lacks.
 */
export function fileOfRun(run: ImportedRun, name: string, params: URLSearchParams, runId: string): Response {
  const file = fileSchema.safeParse(name)
  if (!file.success) throw new NotFoundError('File', `There are ${fileSchema.options.join(', ')}.`)
  const of = ofSchema.safeParse(params.get('of'))
  if (!of.success)
    throw new InvalidInputError('of must be all, success, failure, recorded or uncorrected.', { field: 'of' })
  const text = textOf(run, file.data, of.data)
  if (text === null) throw new NotFoundError('File', 'The run has no samples to make it from.')
  return new Response(text, {
    headers: {
      'content-type': `${name.endsWith('.csv') ? 'text/csv' : 'text/plain'}; charset=utf-8`,
      'content-disposition': `attachment; filename="run-${runId.replace(/[^a-z0-9]/gi, '')}-${file.data}"`,
      'cache-control': 'private, no-store',
    },
  })
}

function textOf(run: ImportedRun, file: z.infer<typeof fileSchema>, of: z.infer<typeof ofSchema>): string | null {
  if (file === 'latency-ms.hgrm') {
    const latency = findLatency(run, of)
    return latency === null ? null : toHgrm(latency)
  }
  const rows =
    file === 'percentiles.csv' ? percentileRows(run) : file === 'timeline.csv' ? timelineRows(run) : targetRows(run)
  return rows === null ? null : toCsv(rows)
}
