import { findMetric, type Metric } from '@/lib/metrics'
import type { ColumnField } from '@/lib/matrix'
import type { Tool } from '@/lib/run'
import type { RunFigures } from '@/lib/figures'
import type { RunFilter } from '@/lib/stored'

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

const tools: readonly Tool[] = ['hey', 'vegeta', 'wrk', 'wrk2', 'lambda', 'hdr']

/** What the address of a matrix says. */
export interface MatrixQuery {
  readonly filter: RunFilter
  /** Ids as given, known or not; null: the usual ones. */
  readonly metricIds: readonly string[] | null
  /** Null: the first column. */
  readonly baseColumn: string | null
  /** Null: as the runs suggest. */
  readonly columnsBy: ColumnField | null
  /** The parts that narrow the runs, as they stand in the address. */
  readonly kept: Readonly<Record<string, string>>
}

const words = (value: SearchParams[string]): readonly string[] =>
  [value ?? []]
    .flat()
    .flatMap((part) => part.split(','))
    .filter((part) => part !== '')

/** Reads `?upload=…&runs=a,b&tool=hey&scenario=…&metric=p99,mean&base=…&columns=variant`. What it does not know is left out. */
export function readMatrixQuery(params: SearchParams): MatrixQuery {
  const one = (key: string) => [params[key] ?? []].flat()[0]?.trim() || null
  const uploadId = one('upload')
  const runIds = words(params.runs)
  const tool = tools.find((known) => known === one('tool')) ?? null
  const scenario = one('scenario')
  const columns = one('columns')
  const metricIds = words(params.metric)
  return {
    filter: {
      ...(uploadId === null ? {} : { uploadId }),
      ...(runIds.length === 0 ? {} : { runIds }),
      ...(tool === null ? {} : { tool }),
      ...(scenario === null ? {} : { scenario }),
    },
    metricIds: metricIds.length === 0 ? null : metricIds,
    baseColumn: one('base'),
    columnsBy: columns === 'variant' || columns === 'environment' ? columns : null,
    kept: {
      ...(uploadId === null ? {} : { upload: uploadId }),
      ...(runIds.length === 0 ? {} : { runs: runIds.join(',') }),
      ...(tool === null ? {} : { tool }),
      ...(scenario === null ? {} : { scenario }),
    },
  }
}

/** Metrics that lead a matrix when nobody chose, most telling first. */
const leading = ['requests-per-second', 'p99', 'mean', 'billed', 'max-memory', 'max', 'p50']

/** The chosen metrics; when none is known, the two most telling that some run has. */
export function chosenMetrics(
  ids: readonly string[] | null,
  runs: readonly { readonly figures: RunFigures }[],
): readonly Metric[] {
  const chosen = [...new Set(ids ?? [])].flatMap((id) => findMetric(id) ?? [])
  if (chosen.length > 0) return chosen
  return leading
    .flatMap((id) => findMetric(id) ?? [])
    .filter((metric) => runs.some((run) => metric.read(run.figures) !== null))
    .slice(0, 2)
}
