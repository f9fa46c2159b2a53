import { formatDay, formatMoment, formatTick, formatTime, missing, plural } from '@/lib/format'
import type { Attribute } from '@/lib/environment/attributes'
import type { FactorAt } from '@/lib/environment/factor-over-time'
import type { ReportedShift } from '@/lib/rules/project-environments'
import { eventWords } from '@/lib/rules/rule-words'
import { clipText } from '@/lib/text'
import { ofLayers, type Layer, type LayerMark } from './layers'
import type { PlotTable, Prepared, Rule, Tick } from './plot/model'
import { timeTicks } from './trend'

export interface FactorInput {
  /** The metric that it is of. */
  readonly metricName: string
  /** Oldest first. */
  readonly nights: readonly FactorAt[]
  /** When the environment moved, newest first. */
  readonly shifts: readonly ReportedShift[]
  readonly attributes: readonly Attribute[]
  readonly projectSlug: string
}

/** Round factors that ticks are at. */
const round = [1, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100]
const allTicks = [...round.slice(1).map((factor) => 1 / factor), ...round].toSorted((a, b) => a - b)
/** Room above and below the factors, as a factor. */
const room = 1.06
/** The ends of an interval are on the axis up to this factor from its middle. */
const widest = 1.25
/** With more nights, the controls have no markers. */
const maxDots = 120
const maxLabelLength = 28

/** Prepares the common factor of an environment over time; null with fewer than two nights. */
export function prepareFactor(input: FactorInput): Prepared | null {
  const { nights, metricName } = input
  const [first, last] = [nights[0], nights.at(-1)]
  if (first === undefined || last === undefined || first === last) return null
  const axis = axisOf(nights)
  const times = nights.map(({ time }) => new Date(time * 1000).toISOString())
  const x = (at: string) => Date.parse(at) / 1000
  const title = `Common factor of ${metricName}, against ${formatDay(times[0] ?? '')}`
  const layers = [...movedLayers(input, axis.domain), intervalLayer(nights), ...lineLayers(nights)]
  const { series, marks } = ofLayers(layers)
  return {
    plot: {
      id: 'factor',
      title,
      x: { scale: 'linear', domain: [first.time, last.time], ticks: timeTicks(times, x, 'time') },
      series,
      panels: [
        {
          label: `${title}: ${plural(nights.length, 'night')}`,
          y: { scale: 'log', ...axis },
          rules: [...shiftRules(input), ...attributeRules(input)],
          marks,
          says: 'count',
          frame: 'trend',
        },
      ],
      places: nights.map(({ time }) => time),
      heading: { kind: 'times', times: nights.map(({ time }) => time * 1000) },
      legend: 'markers',
      note: 'Runs within six hours are one value: the middle of what all series do, each against its own level.',
    },
    table: () => tableOf(nights, times),
  }
}

function axisOf(nights: readonly FactorAt[]): {
  readonly domain: readonly [number, number]
  readonly ticks: readonly Tick[]
} {
  // An interval that is cut off seems narrower than it is; one of a night with few runs would press all others flat.
  const values = nights.flatMap(({ factor, low, high, control }) => [
    control ?? factor,
    ...[Math.max(low, factor / widest), Math.min(high, factor * widest)],
  ])
  const [low, high] = [Math.min(1 / room, ...values) / room, Math.max(room, ...values) * room]
  const inside = allTicks.filter((tick) => tick >= low && tick <= high)
  // Ticks of a wide axis are at least a seventh of it apart.
  const gap = Math.log(high / low) / 7
  const chosen = inside.filter((tick) => tick === 1 || Math.abs(Math.log(tick)) >= gap)
  const ticks = chosen.filter((tick, at) => tick <= 1 || Math.log(tick / (chosen[at - 1] ?? 0)) >= gap)
  return { domain: [low, high], ticks: ticks.map((at) => ({ at, label: factorWords(at) })) }
}

/** `×2.9`. */
const factorWords = (factor: number): string => `×${formatTick(Number(factor.toPrecision(3)))}`

const layer = (id: string, name: string, color: string, ...marks: readonly LayerMark[]): Layer => ({
  series: { id, name, style: { color, dash: '', marker: id === 'control' ? 'diamond' : 'circle' } },
  marks,
})

/** Shades where the environment was another. */
function movedLayers({ nights, shifts }: FactorInput, domain: readonly [number, number]): readonly Layer[] {
  const [first, last] = [nights[0]?.time ?? 0, nights.at(-1)?.time ?? 0]
  const within = (at: string | null) => (at === null ? last : Math.min(last, Math.max(first, Date.parse(at) / 1000)))
  const shades = shifts.flatMap(({ since, overSince }): LayerMark[] => {
    const x = [within(since), within(overSince)]
    if (x[0] === x[1]) return []
    const ends = (bound: number) => [bound, bound]
    return [{ kind: 'band', x, low: ends(domain[0]), high: ends(domain[1]), opacity: 0.14 }]
  })
  return shades.length === 0 ? [] : [layer('moved', 'moved', 'var(--unusual)', ...shades)]
}

const intervalLayer = (nights: readonly FactorAt[]): Layer =>
  layer('interval', 'its 95 % interval', 'var(--median)', {
    kind: 'band',
    x: nights.map(({ time }) => time),
    low: nights.map(({ low }) => low),
    high: nights.map(({ high }) => high),
    opacity: 0.3,
  })

function lineLayers(nights: readonly FactorAt[]): readonly Layer[] {
  const at = nights.map((_, place) => place)
  const line = (values: readonly (number | null)[], width: number): LayerMark => ({
    ...{ kind: 'line', at, y: values, width, reads: 'exact' },
    texts: values.map((value) => (value === null ? '' : factorWords(value))),
  })
  const controls = nights.map(({ control }) => control)
  const which = controls.flatMap((value, place) => (value === null ? [] : [place]))
  const dots: LayerMark = { kind: 'dots', of: 0, which, isHollow: true, size: 0.6 }
  return [
    ...(which.length === 0 || nights.length > maxDots
      ? []
      : [layer('control', 'controls alone', 'var(--series-3)', line(controls, 0), dots)]),
    layer(
      'factor',
      'all series',
      'var(--text)',
      line(
        nights.map(({ factor }) => factor),
        1.5,
      ),
    ),
  ]
}

const isWithin = (nights: readonly FactorAt[], at: string): boolean => {
  const time = Date.parse(at) / 1000
  return time >= (nights[0]?.time ?? Infinity) && time <= (nights.at(-1)?.time ?? 0)
}

/** Where it moved, with what is said of that; to its alert. */
function shiftRules({ nights, shifts, projectSlug }: FactorInput): readonly Rule[] {
  const drawn = shifts.filter(({ since }) => isWithin(nights, since))
  return drawn.map((shift): Rule => {
    const { since, factor, alertId } = shift
    return {
      kind: 'change',
      at: Date.parse(since) / 1000,
      label: factorWords(Number(factor.toPrecision(2))),
      title: `${eventWords(shift)}, ${formatMoment(since)}`,
      anchor: 'end',
      verdict: factor < 1 ? 'better' : 'worse',
      href: alertId === null ? null : `/p/${projectSlug}/alerts/${alertId}`,
    }
  })
}

function attributeRules({ nights, attributes }: FactorInput): readonly Rule[] {
  return attributes.flatMap(({ key, value, change }): readonly Rule[] => {
    if (change === null || !isWithin(nights, change.at)) return []
    const words = `${key} ${change.from} → ${value}`
    const title = `${words}, ${formatMoment(change.at)}`
    return [{ kind: 'label', at: Date.parse(change.at) / 1000, label: clipText(words, maxLabelLength), title }]
  })
}

/** Newest first. */
function tableOf(nights: readonly FactorAt[], times: readonly string[]): PlotTable {
  const rows = nights.map(({ factor, low, high, series, control }, at) => [
    formatTime(times[at] ?? ''),
    factorWords(factor),
    `${factorWords(low)} … ${factorWords(high)}`,
    String(series),
    control === null ? missing : factorWords(control),
  ])
  return { head: ['When', 'Factor', '95 % interval', 'Series', 'Controls alone'], rows: rows.toReversed() }
}
