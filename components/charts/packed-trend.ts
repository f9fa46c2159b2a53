import { formatTime } from '../../lib/format'
import type { TrendDot, TrendLine, TrendPlot } from './trend-plot'

/** The dots of a line as columns of text: a fifth of what they are as objects. */
interface PackedLine extends Omit<TrendLine, 'dots' | 'stretches'> {
  /** Shares of the box in hundred thousandths, with a space between numbers; a `,` begins a new stretch. */
  readonly xs: string
  readonly ys: string
  /** Both ends of each spread (`high:low`), `-` for none; empty: no dot has one. */
  readonly spreads: string
  /** Milliseconds after the dot before it (the first: since 1970), base 36; null: x is something else. */
  readonly at: string | null
  /** Texts, a line each. `when` null: the times as texts. `notes` and `ends` empty: none has one. */
  readonly values: string
  readonly when: string | null
  readonly notes: string
  /** Addresses are this and a line of `ends`; an empty line is none. */
  readonly base: string
  readonly ends: string
}

/** What a page sends to the browser of a trend's plot. */
export interface PackedTrendPlot extends Omit<TrendPlot, 'lines'> {
  readonly lines: readonly PackedLine[]
}

const parts = 100_000
const column = (shares: readonly number[]): string => shares.map((share) => Math.round(share * parts)).join(' ')
const texts = (all: readonly string[]): string => (all.every((one) => one === '') ? '' : all.join('\n'))

/** Packs a plot; places are kept to a hundred thousandth of the box. */
export function packTrendPlot({ lines, ...plot }: TrendPlot): PackedTrendPlot {
  return { ...plot, lines: lines.map(packLine) }
}

function packLine({ dots, stretches, ...line }: TrendLine): PackedLine {
  const times = dots.map((dot) => (dot.at === null ? null : Date.parse(dot.at)))
  const at = times.map((ms, place) => ((ms ?? 0) - (times[place - 1] ?? 0)).toString(36)).join(' ')
  const isTimed = dots.every((dot) => dot.at !== null && dot.when === formatTime(dot.at))
  const hrefs = dots.map((dot) => dot.href ?? '')
  const base = commonStart(hrefs.filter((href) => href !== ''))
  return {
    ...line,
    xs: stretches.map((stretch) => column(stretch.map((one) => dots[one]?.x ?? 0))).join(','),
    ys: column(dots.map((dot) => dot.y)),
    spreads: dots.some((dot) => dot.spread !== null)
      ? dots
          .map(({ spread }) => (spread === null ? '-' : spread.map((share) => Math.round(share * parts)).join(':')))
          .join(' ')
      : '',
    at: isTimed ? at : null,
    values: dots.map((dot) => dot.value).join('\n'),
    when: isTimed ? null : dots.map((dot) => dot.when).join('\n'),
    notes: texts(dots.map((dot) => dot.note)),
    base,
    ends: texts(hrefs.map((href) => href.slice(base.length))),
  }
}

function commonStart(all: readonly string[]): string {
  const [first = ''] = all
  const differs = [...first].findIndex((letter, at) => all.some((one) => one[at] !== letter))
  return all.length < 2 || differs === -1 ? '' : first.slice(0, differs)
}

/** What `packTrendPlot` packed. */
export function unpackTrendPlot({ lines, ...plot }: PackedTrendPlot): TrendPlot {
  return { ...plot, lines: lines.map(unpackLine) }
}

function unpackLine(packed: PackedLine): TrendLine {
  const { xs, ys, spreads, at, values, when, notes, base, ends, ...line } = packed
  let place = 0
  const stretches = xs === '' ? [] : xs.split(',').map((text) => text.split(' ').map(() => place++))
  const [y, spread, value, whens, note, end] = [
    ys.split(' '),
    spreads.split(' '),
    values.split('\n'),
    when?.split('\n') ?? [],
    notes.split('\n'),
    ends.split('\n'),
  ]
  let ms = 0
  const apart = at?.split(' ') ?? []
  const dots = xs === '' ? [] : xs.replaceAll(',', ' ').split(' ')
  return {
    ...line,
    stretches,
    dots: dots.map((x, place): TrendDot => {
      ms += Number.parseInt(apart[place] ?? '0', 36)
      const iso = at === null ? null : new Date(ms).toISOString()
      const [high, low] = spread[place]?.split(':') ?? []
      return {
        x: Number(x) / parts,
        y: Number(y[place]) / parts,
        spread: high === undefined || low === undefined ? null : [Number(high) / parts, Number(low) / parts],
        value: value[place] ?? '',
        when: iso === null ? (whens[place] ?? '') : formatTime(iso),
        at: iso,
        note: note[place] ?? '',
        href: end[place] ? base + end[place] : null,
      }
    }),
  }
}
