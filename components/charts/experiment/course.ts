import { formatChange, formatPercent, roundChange } from '../../../lib/format'
import type { Course, CoursePoint } from '../../../lib/experiment/course'
import { intervalWords } from '../../../lib/experiment/experiment-words'
import { toRatio } from '../../../lib/experiment/visible'
import type { JudgedState } from '../../../lib/run/judged-states'
import { ofLayers, type Layer, type LayerMark } from '../layers'
import type { PlotTable, Prepared, Tick } from '../plot/model'
import { stateStyle } from '../plot/state-style'

export interface CourseInput {
  readonly course: Course
  /** Of the metric that decides. */
  readonly metricName: string
  readonly lowerIsBetter: boolean
  /** Smallest relative change that matters. */
  readonly smallestRatio: number
  readonly maxRounds: number
  /** Of the newest estimate. */
  readonly state: JudgedState
}

type Shown = CoursePoint & { readonly effect: NonNullable<CoursePoint['effect']> }

/** The axis reaches so many times what matters, or the newest interval. */
const leastReach = 4
/** Ticks of the axis besides what matters, as ratios. */
const round = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** Prepares the interval by round between the regions that end an experiment; null: too few rounds. */
export function prepareCourse(input: CourseInput): Prepared | null {
  const { course, metricName, maxRounds, smallestRatio } = input
  const points = course.points.filter((point): point is Shown => point.effect !== null)
  const last = points.at(-1)
  if (last === undefined) return null
  const reach = reachOf(points, smallestRatio)
  const title = `Head against base by round, ${metricName}`
  const { series, marks } = ofLayers([...regionLayers(input, reach), ...pointLayers(points, input)])
  const evaluated = course.bounds.map(({ rounds }) => rounds)
  return {
    plot: {
      id: 'course',
      title,
      x: { scale: 'linear', domain: [0.5, maxRounds + 0.5], ticks: roundTicks(evaluated, maxRounds) },
      series,
      panels: [
        {
          label: `${title}: ${roundChange(last.effect.effectRatio)} (${intervalWords(last.effect)}) after ${last.rounds} of at most ${maxRounds} rounds`,
          y: { scale: 'linear', domain: [-reach, reach], ticks: changeTicks(reach, smallestRatio) },
          rules: [{ kind: 'zero', at: 0, label: '', title: 'no difference' }],
          marks,
          says: 'percent',
          frame: 'large',
          isCut: true,
        },
      ],
      places: points.map(({ rounds }) => rounds),
      heading: { kind: 'texts', texts: points.map((point) => headingOf(point)) },
      legend: 'markers',
      note: 'It ends at an evaluation whose estimate is in a region. Bars are intervals at evaluations, each wider for those before. Regions to come hold if rounds scatter as so far.',
    },
    table: () => tableOf(input),
  }
}

const headingOf = ({ rounds, isEvaluated }: CoursePoint): string =>
  `After round ${rounds}${isEvaluated ? ': evaluated' : ''}`

/** Early intervals are too wide to be read beside the later ones: they leave the axis. */
function reachOf(points: readonly Shown[], smallestRatio: number): number {
  const last = points.at(-1)?.effect
  const far = points.slice(-1 - points.length / 2).map(({ effect }) => Math.abs(effect.effectRatio) * 1.3)
  const ends = last === undefined ? [] : [Math.abs(last.low), Math.abs(last.high)]
  const most = Math.max(leastReach * smallestRatio, ...far, ...ends.map((end) => Math.min(end, 8 * smallestRatio)))
  return Math.min(1, most * 1.05)
}

function changeTicks(reach: number, smallestRatio: number): readonly Tick[] {
  const all = round.filter((one) => one <= reach && Math.abs(one / smallestRatio - 1) > 0.3)
  const others = all.filter((one) => one > smallestRatio || one * 4 > reach).slice(-2)
  const above = [...new Set([smallestRatio, ...others])].filter((one) => one <= reach).sort((a, b) => a - b)
  const spaced = above.filter((one, at) => at === 0 || one - (above[at - 1] ?? 0) > reach / 8)
  const tick = (at: number): Tick => ({ at, label: at === 0 ? '0' : roundChange(at) })
  return [...spaced.map((one) => -one), 0, ...spaced].sort((a, b) => a - b).map(tick)
}

/** The first round, and each evaluation; every second of them if there is little room. */
function roundTicks(evaluated: readonly number[], maxRounds: number): readonly Tick[] {
  const step = Math.ceil(evaluated.length / 12)
  const shown = evaluated.filter((_, at) => at % step === 0)
  return [...new Set([1, ...shown, maxRounds])].map((at) => ({
    ...{ at, label: String(at) },
    isSpare: at !== 1 && at !== maxRounds && shown.indexOf(at) % 2 === 1,
  }))
}

const layer = (id: string, name: string, color: string, marks: readonly LayerMark[]): Layer => ({
  series: { id, name, style: { color, dash: '', marker: 'circle' } },
  marks,
})

function regionLayers({ course: { bounds }, lowerIsBetter, smallestRatio }: CourseInput, reach: number) {
  if (bounds.length < 2) return []
  const x = bounds.map(({ rounds }) => rounds)
  const edge = bounds.map(({ different }) => Math.min(reach, toRatio(different)))
  const under = bounds.map(({ different }) => Math.max(-reach, toRatio(-different)))
  const band = (low: readonly number[], high: readonly number[], opacity: number): readonly LayerMark[] => [
    { kind: 'band', x, low, high, opacity },
  ]
  const all = (end: number) => bounds.map(() => end)
  const above = band(edge, all(reach), 0.13)
  const below = band(all(-reach), under, 0.13)
  const same = band(
    bounds.map((one) => toRatio(-one.same)),
    bounds.map((one) => toRatio(one.same)),
    0.35,
  )
  return [
    layer('worse', 'ends here: head is worse', 'var(--worse)', lowerIsBetter ? above : below),
    layer('better', 'ends here: head is better', 'var(--better)', lowerIsBetter ? below : above),
    ...(bounds.some((one) => one.same > 0)
      ? [layer('same', `ends here: the same within ${formatPercent(smallestRatio)}`, 'var(--median)', same)]
      : []),
  ]
}

function pointLayers(points: readonly Shown[], { state }: CourseInput): readonly Layer[] {
  const at = points.map((_, place) => place)
  const values = points.map(({ effect }) => effect.effectRatio)
  const texts = points.map(
    ({ effect, isEvaluated }) =>
      `${roundChange(effect.effectRatio)}${isEvaluated ? ` (${intervalWords(effect)})` : ''}`,
  )
  const evaluated = points.flatMap((point, place) => (point.isEvaluated ? [place] : []))
  const newest = points.length - 1
  const style = stateStyle(state)
  const bar = (place: number, width: number, opacity: number): readonly LayerMark[] => {
    const { rounds, effect } = points[place] ?? { rounds: 0, effect: { low: 0, high: 0 } }
    return [{ kind: 'range', x: rounds, low: effect.low, high: effect.high, width, dx: 0, opacity }]
  }
  const line: LayerMark = { kind: 'line', at, y: values, width: 1.25, reads: 'exact', texts }
  const dots = (which: readonly number[], size: number): LayerMark => ({
    ...{ kind: 'dots', of: 0, which, isHollow: false, size },
  })
  const last = points[newest]
  const end: readonly LayerMark[] =
    last === undefined
      ? []
      : [
          { kind: 'line', at: [newest], y: [last.effect.effectRatio], width: 0, reads: 'before', texts: [''] },
          { ...dots([0], 1.1), marker: style.marker } as LayerMark,
          {
            kind: 'label',
            x: last.rounds,
            y: last.effect.effectRatio,
            text: roundChange(last.effect.effectRatio),
            more: '',
          },
          ...(last.isEvaluated ? bar(newest, 2.5, 1) : []),
        ]
  const earlier = evaluated.filter((place) => place !== newest)
  return [
    layer('estimate', 'estimate', 'var(--dot)', [
      line,
      dots(
        at.filter((place) => place !== newest),
        0.6,
      ),
      ...earlier.flatMap((place) => bar(place, 1.5, 0.8)),
    ]),
    layer('newest', 'newest estimate', style.color, end),
  ]
}

function tableOf({ course }: CourseInput): PlotTable {
  const boundsAt = new Map(course.bounds.map((one) => [one.rounds, one]))
  const shown = course.points.map(({ rounds, effect, isEvaluated }) => {
    const bounds = boundsAt.get(rounds)
    return [
      String(rounds),
      effect === null ? '' : roundChange(effect.effectRatio),
      effect === null || !isEvaluated ? '' : intervalWords(effect),
      bounds === undefined ? '' : beyond(bounds.different),
      bounds === undefined ? '' : within(bounds.same),
    ]
  })
  const ahead = course.bounds
    .filter(({ isAhead }) => isAhead)
    .map(({ rounds, different, same }) => [`${rounds}, to come`, '', '', beyond(different), within(same)])
  const head = ['Round', 'Estimate', 'Interval', 'Ends as different', 'Ends as the same']
  return { head, rows: [...shown, ...ahead] }
}

const beyond = (log: number): string => `below ${formatChange(toRatio(-log))}, above ${formatChange(toRatio(log))}`
const within = (log: number): string => (log === 0 ? 'nowhere' : `within ±${formatPercent(toRatio(log))}`)
