import { fewestRounds } from './scatter'
import { formatMs, formatNumber, missing } from '../format'
import type { Cube } from '../cube/cube'
import { Distribution } from './distribution'
import { fewestRows, type Explanation } from './explain'
import type { Part } from './parts'
import { candidateName, correctedP, valueName, whySentence, wholePercent, type SideWords } from './why-sentence'

/** A table of words. */
export interface WhyTable {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** An explanation in words: what the command line and Markdown print. */
export interface WhyReport {
  /** Without a full stop, as are the notes. */
  readonly sentence: string
  readonly tables: readonly WhyTable[]
  readonly notes: readonly string[]
}

const shownQuantiles = [0.5, 0.9, 0.95, 0.99] as const

/** The report of two sides, which have names and so many runs. */
export function whyReport(
  base: Cube,
  head: Cube,
  explanation: Explanation,
  sides: SideWords,
  runs: readonly [base: number, head: number],
): WhyReport {
  const tables = [candidateTable(explanation, sides), partsTable(explanation), namedTable(base, head, explanation)]
  return {
    sentence: whySentence(explanation, sides),
    tables: tables.filter((table): table is WhyTable => table !== null),
    notes: [...notesOf(base, head, explanation, sides), runWords(runs)],
  }
}

function candidateTable(explanation: Explanation, sides: SideWords): WhyTable | null {
  const { candidates } = explanation
  if (candidates.length === 0) return null
  return {
    title: '',
    heads: ['stands with', 'of the difference', 'of the traffic', 'p'],
    rows: candidates
      .slice(0, 4)
      .map((one) => [
        candidateName(one, sides),
        wholePercent(one.explained),
        one.traffic === null ? missing : wholePercent(one.traffic),
        pWords(correctedP(one, explanation)),
      ]),
  }
}

const pWords = (p: number | null): string => (p === null ? missing : p < 0.001 ? '< 0.001' : formatNumber(p))

/** Rows: thresholds; columns: of all requests alike, within what is named, within the others, of the mix. */
function partsTable({ parts, layer, candidates }: Explanation): WhyTable | null {
  if (parts.length === 0) return null
  const named = candidates[0]?.attribute === layer ? candidates[0].value : null
  const name = named === null ? '' : valueName(candidates[0] ?? { attribute: layer, value: named })
  const columns: readonly (readonly [head: string, isIn: (part: Part) => boolean])[] = [
    ...(candidates[0]?.kind === 'shift' ? [['all alike', ({ kind }: Part) => kind === 'common'] as const] : []),
    ...(named === null
      ? []
      : [[`within ${name}`, ({ kind, value }: Part) => kind === 'within' && value === named] as const]),
    [
      named === null ? 'within' : 'within others',
      ({ kind, value }: Part) => kind === 'within' && (named === null || value !== named),
    ],
    ...(layer === 'all' ? [] : [['mix', ({ kind }: Part) => kind === 'mix'] as const]),
  ]
  return {
    title: 'Share of requests above a latency in %, and what its change consists of in points',
    heads: ['above', 'baseline', 'candidate', 'change', ...columns.map(([head]) => head)],
    rows: parts.map((one) => [
      ...[formatMs(one.thresholdMs), percent(one.baseShare), percent(one.headShare)],
      points(one.headShare - one.baseShare),
      ...columns.map(([, isIn]) => points(one.parts.filter(isIn).reduce((sum, { share }) => sum + share, 0))),
    ]),
  }
}

const percent = (share: number): string => (100 * share).toFixed(2)

/** With its sign; 0 within the last digit has none. */
function points(share: number): string {
  const text = Math.abs(100 * share).toFixed(2)
  return Number(text) === 0 ? text : `${share > 0 ? '+' : '−'}${text}`
}

/** Percentiles of what is named beside those of the rest. */
function namedTable(base: Cube, head: Cube, { candidates }: Explanation): WhyTable | null {
  const [first] = candidates
  if (first === undefined || first.value === null) return null
  const rows = [
    ['baseline', base],
    ['candidate', head],
  ] as const
  const lines = rows.flatMap(([side, cube]) => {
    const values = cube.attributes.find(({ name }) => name === first.attribute)?.values
    const own = values?.find(({ value }) => value === first.value)
    if (own === undefined || own.rows === 0) return []
    const rest = cube.all.map((count, bucket) => count - (own.counts[bucket] ?? 0))
    const line = (name: string, counts: Uint32Array) => {
      const distribution = new Distribution(counts, cube.resolutionMs)
      if (distribution.rows === 0) return []
      return [[name, side, ...shownQuantiles.map((q) => formatMs(distribution.quantileMs(q)))]]
    }
    return [...line(valueName(first), own.counts), ...line('all others', rest)]
  })
  if (lines.length === 0) return null
  return { title: 'Latency', heads: ['', 'side', 'p50', 'p90', 'p95', 'p99'], rows: lines }
}

function notesOf(base: Cube, head: Cube, explanation: Explanation, sides: SideWords): readonly string[] {
  const { aliases, oneSided, areTargetsDisjoint, kind, layer } = explanation
  const other = { base: sides.head, head: sides.base } as const
  const rest = [base, head].flatMap(({ attributes }) => attributes.filter(({ restValues }) => restValues > 0))
  const dropped = [...new Set([...base.dropped, ...head.dropped])]
  return [
    ...aliases.map((alias) => `The same requests are those of ${valueName(alias)}`),
    ...(areTargetsDisjoint ? ['The runs share no target: all is mix'] : []),
    ...(layer === 'all' && kind !== 'nothing'
      ? ['No targets are recorded on both sides: parts are of all requests']
      : []),
    ...oneSided.map(
      ({ side, attribute }) => `Only ${sides[side]} records ${attribute}, and not ${other[side]}: it is not ranked`,
    ),
    ...[...new Set(rest.map(({ name }) => name))].map(
      (name) => `Of ${name} the 50 most frequent values are shown individually`,
    ),
    ...dropped.map((name) => `${name} has more than 50 values: an id, left out`),
    ...(Math.min(base.rows, head.rows) < fewestRows ? [`The sides have ${base.rows} and ${head.rows} rows`] : []),
  ]
}

/** What one run a side can show, and how several are one. */
function runWords([base, head]: readonly [number, number]): string {
  if (base === 1 && head === 1) return 'One run a side: this is about these two runs'
  const runs = (count: number) => `${count} ${count === 1 ? 'run' : 'runs'}`
  const evened = Math.min(base, head) < fewestRounds ? '' : ', and levels that vary between its runs are evened out'
  return `${runs(base)} against ${runs(head)}: the rows of a side are added up${evened}`
}
