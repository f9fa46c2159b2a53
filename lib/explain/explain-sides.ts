import { formatMs } from '../format'
import { tools } from '../run/tools'
import type { ImportedRun, RunBeside } from '../run/run'
import { quantileName } from '../stats/quantile'
import { explain } from './explain'
import { whyDocument } from './why-document'
import { whyReport, type WhyReport } from './why-report'

/** A run with what was counted beside it. */
export interface WhySide {
  /** That of its file. */
  readonly name: string
  readonly run: ImportedRun
  readonly beside: RunBeside
}

export interface WhyAnswer {
  readonly report: WhyReport
  /** The same as a JSON document. */
  readonly document: unknown
  /** Nothing can be said of what the difference stands with. */
  readonly isRefused: boolean
}

/** What the difference of two files' runs stands with, or why nothing can be said of that. */
export function explainSides(base: WhySide, head: WhySide): WhyAnswer {
  if (base.run.tool !== head.run.tool) {
    const names = [base, head].map(({ run }) => tools[run.tool].name)
    return refuse(`The runs are of different tools (${names.join(', ')}): their rows are not compared`, [])
  }
  const [own, other] = [base.beside.cube, head.beside.cube]
  if (own === undefined || other === undefined) {
    const without = [base, head].filter(({ beside }) => beside.cube === undefined).map(({ name }) => name)
    return refuse(`Only the shape is known: ${without.join(' and ')} has no rows`, shapeOf(base.run, head.run))
  }
  const sides = { base: 'the baseline', head: 'the candidate', baseSpanMs: own.spanMs, headSpanMs: other.spanMs }
  const explanation = explain(own, other)
  const report = whyReport(own, other, explanation, sides)
  return { report, document: { sentence: report.sentence, ...whyDocument(explanation) }, isRefused: false }
}

function refuse(sentence: string, shape: readonly (readonly string[])[]): WhyAnswer {
  const table = { title: 'Latency as printed', heads: ['', 'baseline', 'candidate'], rows: shape }
  return {
    report: { sentence, tables: shape.length === 0 ? [] : [table], notes: [] },
    document: { kind: 'refused', why: sentence },
    isRefused: true,
  }
}

/** Percentiles that both outputs print, beside each other. */
function shapeOf(base: ImportedRun, head: ImportedRun): readonly (readonly string[])[] {
  const quantilesOf = ({ latencies }: ImportedRun) =>
    latencies.find(({ of }) => of === 'all')?.quantiles ?? latencies[0]?.quantiles ?? []
  return quantilesOf(base).flatMap(({ q, ms }) => {
    const same = quantilesOf(head).find((one) => one.q === q)
    return same === undefined ? [] : [[quantileName(q), formatMs(ms), formatMs(same.ms)]]
  })
}
