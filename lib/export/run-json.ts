import * as z from 'zod'
import { importedRunSchema } from '../run/imported-run-schema'
import type { ImportedRun, Latency } from '../run/run'
import { hardJson } from './page-metadata'

/** A run whose output is not text, as our pages hold it: all that was read, except its place and names. */
export type RunFigures = Omit<ImportedRun, 'context' | 'proposal'>

/** Longer lines are not read. */
const longestLine = 60_000
/** The first line of a run written as figures. */
export const runJsonHead = '{"tailboardRun":1,'
/** Code of the warning on every run that was read from figures. */
export const figuresOnlyCode = 'exported-figures'

/**
 * A run as JSON, one field per line, in place of output that cannot be written: raw results, table rows, packed files.
 * Fields too long for a line (a histogram, a timeline, a list of addresses) are left out, with a warning in the run.
 */
export function writeRunJson(run: ImportedRun): readonly string[] {
  const { context: _context, proposal: _proposal, ...whole } = run
  const left: string[] = []
  const fits = (value: unknown) => hardJson(value).length <= longestLine
  const latencies = whole.latencies.map((latency): Latency => {
    // All less the failures: derived again from those wherever the run is stored.
    if (isDerived(latency)) return { ...latency, histogram: null }
    if (fits(latency)) return latency
    left.push(`the histogram of ${latency.of}`)
    return { ...latency, histogram: null }
  })
  if (!fits(whole.timeline)) left.push('the timeline')
  if (!fits(whole.targets)) left.push('the addresses')
  const message = `The figures come from a page exported by Tailboard, without the tool's own output${left.length > 0 ? `, nor ${left.join(', ')}` : ''}.`
  const figures: RunFigures = {
    ...whole,
    latencies,
    timeline: fits(whole.timeline) ? whole.timeline : null,
    targets: fits(whole.targets) ? whole.targets : null,
    warnings: [
      ...whole.warnings.filter(({ code }) => code !== figuresOnlyCode),
      { code: figuresOnlyCode, message, line: null },
    ],
  }
  const fields = Object.entries(figures).map(([key, value]) =>
    key === 'latencies' ? `"latencies":[\n${latencies.map(hardJson).join(',\n')}]` : `"${key}":${hardJson(value)}`,
  )
  return `${runJsonHead}\n${fields.join(',\n')}}`.split('\n')
}

const figuresSchema = z.looseObject({ tailboardRun: z.literal(1), form: z.string().regex(/^[a-z0-9-]{1,40}$/) })

/** Derived from other histograms: never written, and its payload is never checked. */
const isDerived = ({ histogram }: Latency): boolean => histogram?.kind === 'hdr' && histogram.lessV2Base64 !== undefined

/** Reads what `writeRunJson` wrote, parsed; null for anything else. Does not check figures against each other. */
export function readRunJson(value: unknown): RunFigures | null {
  if (!figuresSchema.safeParse(value).success || typeof value !== 'object') return null
  const read = importedRunSchema.safeParse({
    ...value,
    context: { headings: [], lines: [1, 1], facts: [], notes: [] },
    proposal: { scenario: null, variant: null, environment: null, environmentAttributes: {}, labels: {}, sources: {} },
  })
  if (!read.success || read.data.latencies.some(isDerived)) return null
  const { context: _context, proposal: _proposal, ...figures } = read.data
  return figures
}
