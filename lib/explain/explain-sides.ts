import { addCubes } from '../cube/add-cubes'
import type { Cube } from '../cube/cube'
import { formatMs, formatNumber } from '../format'
import { tools } from '../run/tools'
import type { ImportedRun } from '../run/run'
import { quantileName } from '../stats/quantile'
import { alignRounds, roundScatter } from './scatter'
import { explain, withPartsOf, type Explanation } from './explain'
import { whyDocument } from './why-document'
import { whyReport, type WhyReport } from './why-report'
import type { SideWords } from './why-sentence'

/** A run with the cube of its rows. */
export interface WhyRun {
  readonly run: Pick<ImportedRun, 'tool' | 'latencies'>
  /** `due`: its rows wait to be counted; null: it has none. */
  readonly cube: Cube | 'due' | null
}

/** The runs of a side, at least one. */
export interface WhySide {
  /** That of its file, or of the side. */
  readonly name: string
  readonly runs: readonly [WhyRun, ...WhyRun[]]
}

/** What an answer was made of: the rows of each side together. */
export interface WhyEvidence {
  readonly base: Cube
  readonly head: Cube
  readonly explanation: Explanation
  readonly words: SideWords
}

export interface WhyAnswer {
  readonly report: WhyReport
  /** The same as a JSON document. */
  readonly document: WhyDocument
  /** Null: nothing can be said of what the difference stands with. */
  readonly evidence: WhyEvidence | null
}

/** `due`: the rows are being counted. */
export type WhyDocument =
  | ({ readonly sentence: string } & ReturnType<typeof whyDocument>)
  | { readonly kind: 'refused' | 'due'; readonly why: string }

/** What the difference of two sides stands with, whatever they hold, or why nothing can be said of that. */
export function explainSides(base: WhySide, head: WhySide): WhyAnswer {
  const sides = [base, head]
  const all = sides.flatMap(({ runs }) => runs)
  const names = [...new Set(all.map(({ run }) => tools[run.tool].name))]
  if (names.length > 1)
    return refuse(`The runs are of different tools (${names.join(', ')}): their rows are not compared`, [])
  const due = sides.filter(({ runs }) => runs.some(({ cube }) => cube === 'due')).map(({ name }) => name)
  if (due.length > 0) return refuse(`The rows of ${due.join(' and ')} are still being counted`, [], 'due')
  const [own, other] = [cubesOf(base), cubesOf(head)]
  if (own === null || other === null) {
    const without = sides.filter((side) => cubesOf(side) === null).map(({ name }) => name)
    const shape = shapeOf(base.runs[0].run, head.runs[0].run)
    const words = `${without.join(' and ')} ${without.length > 1 ? 'have' : 'has'} no rows`
    return refuse(`Only the shape is known, ${words}${shapeWords(shape)}`, shape)
  }
  const [b, h] = [addCubes(own), addCubes(other)]
  const words: SideWords = {
    ...{ base: 'the baseline', head: 'the candidate' },
    ...{ baseSpanMs: b.spanMs / own.length, headSpanMs: h.spanMs / other.length },
  }
  const rounds = alignRounds(own, other)
  const scatter = Math.max(roundScatter(own, b), roundScatter(other, h))
  const explanation =
    rounds === null
      ? explain(b, h, scatter)
      : withPartsOf(explain(rounds.base, rounds.head, rounds.scatter), b, h, scatter)
  const report = whyReport(b, h, explanation, words, [own.length, other.length])
  return {
    report,
    document: { sentence: report.sentence, ...whyDocument(explanation) },
    evidence: { base: b, head: h, explanation, words },
  }
}

/** Null: a run of the side has no rows. */
function cubesOf({ runs }: WhySide): readonly [Cube, ...Cube[]] | null {
  const [first, ...others] = runs.flatMap(({ cube }) =>
    cube === null || cube === 'due' || cube.rows === 0 ? [] : [cube],
  )
  return first === undefined || others.length + 1 < runs.length ? null : [first, ...others]
}

/** What would say more. */
const rowsHint = 'Raw results, with a row for each request, show where it is'

function refuse(sentence: string, shape: readonly PrintedQuantile[], kind: 'refused' | 'due' = 'refused'): WhyAnswer {
  const rows = shape.map(({ q, base, head }) => [quantileName(q), formatMs(base), formatMs(head)])
  const table = { title: 'Latency as printed', heads: ['', 'baseline', 'candidate'], rows }
  return {
    report: { sentence, tables: rows.length === 0 ? [] : [table], notes: rows.length === 0 ? [] : [rowsHint] },
    document: { kind, why: sentence },
    evidence: null,
  }
}

/** A percentile that both outputs print, ms. */
interface PrintedQuantile {
  readonly q: number
  readonly base: number
  readonly head: number
}

/** Percentiles that both outputs print, beside each other. */
function shapeOf(base: WhyRun['run'], head: WhyRun['run']): readonly PrintedQuantile[] {
  const quantilesOf = ({ latencies }: WhyRun['run']) =>
    latencies.find(({ of }) => of === 'all')?.quantiles ?? latencies[0]?.quantiles ?? []
  return quantilesOf(base).flatMap(({ q, ms }) => {
    const same = quantilesOf(head).find((one) => one.q === q)
    return same === undefined ? [] : [{ q, base: ms, head: same.ms }]
  })
}

/** `: every percentile moved by × 1.08 to × 1.09`. */
function shapeWords(shape: readonly PrintedQuantile[]): string {
  const factors = shape.flatMap(({ base, head }) => (base > 0 && head > 0 ? [head / base] : []))
  if (factors.length < 2) return ''
  const [low, high] = [formatNumber(Math.min(...factors)), formatNumber(Math.max(...factors))]
  return low === high ? `: every percentile moved by × ${low}` : `: percentiles moved by × ${low} to × ${high}`
}
