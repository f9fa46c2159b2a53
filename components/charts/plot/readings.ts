import {
  formatCount,
  formatMs,
  formatNumber,
  formatPercent,
  formatTick,
  formatTime,
  missing,
  plural,
} from '../../../lib/format'
import { printableName, slowerWords, xToQuantile } from '../../../lib/stats/quantile'
import { median } from '../../../lib/stats/robust'
import {
  barEnds,
  type BarsMark,
  type Heading,
  type LineMark,
  type Panel,
  type Plot,
  type Saying,
  type Series,
} from './model'

/** The cursor's reading of a run, a side or a measure. */
export interface Reading {
  readonly name: string
  readonly color: string
  readonly text: string
  /** Empty: nothing. */
  readonly note: string
  /** Null: no link. */
  readonly href: string | null
  /** Its comparison with the run before it on its line; null: there is none. */
  readonly compareHref: string | null
  /** In units of the y axis; of several runs, their median. */
  readonly value: number
}

const says: Readonly<Record<Saying, (value: number) => string>> = {
  ms: formatMs,
  shift: (ms) => `${ms > 0 ? '+' : ms < 0 ? '\u2212' : ''}${formatMs(Math.abs(ms))}`,
  percent: formatPercent,
  count: formatCount,
  requests: (count) => plural(count, 'request'),
  perSecond: (value) => `${formatNumber(value)}/s`,
}

/** A mark's reading at an x; `value` null: known to be missing. */
interface Found extends Pick<Reading, 'note' | 'href' | 'compareHref'> {
  readonly series: Series
  readonly value: number | null
  readonly text: string | null
}

const isAt = (one: number | undefined, x: number): boolean =>
  one !== undefined && Math.abs(one - x) <= 1e-9 * Math.abs(x)

function readLine(mark: LineMark, series: Series, plot: Plot, x: number): Found | null {
  if (mark.isShadow === true) return null
  if (plot.heading?.kind === 'times') return readDay(mark, series, plot, x)
  const index = mark.at.findLastIndex((at) => (plot.places[at] ?? Infinity) <= x || isAt(plot.places[at], x))
  const value = mark.y[index]
  if (value === undefined) return null
  if (!isAt(plot.places[mark.at[index] ?? -1], x)) {
    const isLast = index === mark.y.length - 1
    if (mark.reads === 'exact' || (isLast && !(mark.reads === 'share' && value === 1))) return null
  }
  if (value === null && mark.texts) return null
  const [text, note] = [mark.texts?.[index] ?? null, mark.notes?.[index] ?? '']
  return { series, value, text, note, ...linksOf(mark, index) }
}

const dayMs = 86_400_000

/** The value of the day of the cursor, the nearest to it if there are several, with its time if it is another. */
function readDay(mark: LineMark, series: Series, { heading, places }: Plot, x: number): Found | null {
  const times = heading?.kind === 'times' ? heading.times : []
  const now = times[places.findIndex((one) => one === x || isAt(one, x))]
  if (now === undefined) return null
  const day = (ms: number) => Math.floor(ms / dayMs)
  const found = mark.at
    .map((place, index) => ({ index, ms: times[place] ?? NaN }))
    .filter(({ index, ms }) => day(ms) === day(now) && mark.y[index] !== null)
    .sort((a, b) => Math.abs(a.ms - now) - Math.abs(b.ms - now))[0]
  if (found === undefined) return null
  const { index, ms } = found
  const time = ms === now ? [] : [new Date(ms).toISOString().slice(11, 16)]
  const note = [...time, mark.notes?.[index] ?? ''].filter((part) => part !== '').join(' · ')
  return {
    series,
    value: mark.y[index] ?? null,
    text: mark.texts?.[index] ?? null,
    note,
    ...linksOf(mark, index),
  }
}

const runAddress = /^(\/p\/[^/]+)\/runs\/([^/]+)$/

/** The addresses of a run on a line, and of its comparison with the run before it. */
function linksOf({ hrefs = [] }: LineMark, index: number): Pick<Found, 'href' | 'compareHref'> {
  const href = hrefs[index] || null
  const [, project, id] = runAddress.exec(href ?? '') ?? []
  const [, , before] = runAddress.exec(hrefs[index - 1] ?? '') ?? []
  const isPair = id !== undefined && before !== undefined && before !== id
  return { href, compareHref: isPair ? `${project ?? ''}/compare/${before}...${id}` : null }
}

const barAt = (mark: BarsMark, x: number): number => {
  const ends = barEnds(mark)
  return mark.from.findLastIndex((from, at) => from <= x && x <= (ends[at] ?? from))
}

/** The readings of a panel at an x, in the order of its marks. */
export function readPanel(plot: Plot, panel: Panel, x: number): readonly Reading[] {
  const found = panel.marks.flatMap((mark): readonly Found[] => {
    const series = plot.series[mark.series]
    if (!series) return []
    if (mark.kind === 'line') {
      const read = readLine(mark, series, plot, x)
      return read ? [read] : []
    }
    if (mark.kind !== 'bars') return []
    const value = (mark.counts ?? mark.y)[barAt(mark, x)]
    return value === undefined ? [] : [{ series, value, text: null, note: '', href: null, compareHref: null }]
  })
  const rows = readSides(found, says[panel.says])
  return plot.isSorted ? [...rows].sort((a, b) => b.value - a.value) : rows
}

/** The readings of all panels at an x, one after the other. */
export const readPlot = (plot: Plot, x: number): readonly Reading[] =>
  plot.panels.flatMap((panel) => readPanel(plot, panel, x))

/** One row per side: the value of a lone run, or median and range of the repeats that have one. */
export function readSides(
  found: readonly (Pick<Found, 'series' | 'value'> & Partial<Found>)[],
  say: (value: number) => string,
): readonly Reading[] {
  const sides = new Map<string, (typeof found)[number][]>()
  for (const one of found) {
    const { style, side, name } = one.series
    const key = `${style.color} ${side?.name ?? name}`
    sides.set(key, [...(sides.get(key) ?? []), one])
  }
  return [...sides.values()].map((own): Reading => {
    const [first] = own
    const values = own.flatMap(({ value }) => value ?? [])
    const middle = median(values)
    const range = `${say(Math.min(...values))} to ${say(Math.max(...values))}`
    const several = values.length > 1 ? `${say(middle)} (${range})` : say(middle)
    return {
      name: first?.series.side?.name ?? first?.series.readAs ?? first?.series.name ?? '',
      color: first?.series.style.color ?? '',
      text: values.length === 0 ? missing : (first?.text ?? several),
      note: first?.note ?? '',
      href: first?.href ?? null,
      compareHref: first?.compareHref ?? null,
      value: middle,
    }
  })
}

/** The wording of the cursor's position. */
export function headingAt({ heading, places, panels }: Plot, x: number): string {
  const at = places.findIndex((one) => isAt(one, x) || one === x)
  switch (heading?.kind) {
    case undefined:
      return ''
    case 'quantile':
      return quantileHeading(x)
    case 'latency':
      return `at ${formatMs(x)}`
    case 'share':
      return `at ${formatMs(x)} or less`
    case 'bar': {
      const bars = panels[0]?.marks.find((mark) => mark.kind === 'bars')
      const bar = bars ? barAt(bars, x) : -1
      return bars ? `${formatMs(bars.from[bar] ?? null)} to ${formatMs(barEnds(bars)[bar] ?? null)}` : ''
    }
    case 'elapsed':
      return elapsedHeading(x - heading.binMs / 2, heading)
    case 'times': {
      const time = heading.times[at]
      return time === undefined ? '' : formatTime(new Date(time).toISOString())
    }
    case 'texts':
      return heading.texts[at] ?? ''
  }
}

/** Only percentiles that tools print and round ones are named. */
function quantileHeading(x: number): string {
  const q = xToQuantile(x)
  if (q === 0) return 'min'
  const name = printableName(q)
  return name === null ? slowerWords(q) : `${name}: ${slowerWords(q)}`
}

function elapsedHeading(
  fromMs: number,
  { startedAt, warmUpUntilMs = 0 }: Extract<Heading, { kind: 'elapsed' }>,
): string {
  const words = elapsedWords(fromMs, startedAt)
  return fromMs < warmUpUntilMs ? `${words}, warm-up` : words
}

/** `12 s` after the start, and the time of day if it is known. */
export function elapsedWords(ms: number, startedAt: string | null): string {
  const from = `${formatTick(ms / 1_000)}\u00a0s`
  if (startedAt === null) return from
  return `${from} (${new Date(Date.parse(startedAt) + ms).toISOString().slice(11, 19)} UTC)`
}

/** The readings of a side's cell in one line: of each of its panels, one after the other. */
export function readCell(plot: Plot, series: number, x: number): string {
  const texts = plot.panels
    .filter((panel) => panel.cell === series)
    .map((panel) => [panel.prefix ?? '', readPanel(plot, panel, x)[0]?.text ?? null] as const)
  if (texts.every(([, text]) => text === null)) return 'ended'
  return texts.map(([prefix, text]) => prefix + (text ?? missing)).join(', ')
}
