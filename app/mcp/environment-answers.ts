import type { z } from 'zod'
import type { environmentHistoryAnswer } from '@/app/_server/answers/environment-answers'
import { formatDay, formatMoment, formatNumber, formatPercent, plural } from '@/lib/format'
import type { ProjectEnvironment, ReportedShift } from '@/lib/rules/project-environments'
import { environmentSentence, shiftLine } from '@/lib/rules/rule-words'
import { findMetric, sentenceLabel } from '@/lib/run/metrics'

type EnvironmentHistory = z.infer<typeof environmentHistoryAnswer>

/** An environment in a line: whether it moved, and how many series stand in it. */
export function environmentLine({ name, shifts, series }: ProjectEnvironment): string {
  const controls = series.filter(({ isControl }) => isControl).length
  const counts = `${plural(series.length, 'series', 'series')}, ${plural(controls, 'control')}`
  return `- ${name}: ${environmentSentence(name, shifts)} (${counts})`
}

/** An environment over time: when it moved, its factor, what it can show, its attributes and its series. */
export function environmentLines(one: EnvironmentHistory): readonly string[] {
  const { sentence, shifts, nights, visible, instrument, attributes, series } = one
  return [
    `# ${sentence}`,
    ...shifts.map(shiftWithEnd),
    '## What it can show',
    ...(visible.length === 0 ? ['At least 5 runs of a series are needed.'] : visible.map(visibleLine)),
    '## Identical code',
    ...[instrument.sentence, ...instrument.notes].map((note) => `${note}.`),
    ...(instrument.word === 'not certified' ? [] : instrument.metrics.map(({ words }) => `- ${words}`)),
    ...(nights.length === 0 ? [] : ['## Factor of the newest nights (2: everything takes twice as long)']),
    ...nights.slice(-shownNights).map(nightLine),
    ...(attributes.length === 0 ? [] : ['## Attributes, as recorded with the runs']),
    ...attributes.map(({ key, value, change }) => {
      const before = change === null ? '' : `, since ${formatMoment(change.at)}; before: ${change.from}`
      return `- ${key}: ${value}${before}`
    }),
    '## Series',
    ...series.map(({ id, scenario, variant, isControl }) => {
      const name = [scenario, variant].filter((part) => part !== null).join(' › ')
      return `- ${id} ${name}${isControl ? ' (control)' : ''}`
    }),
  ]
}

const shownNights = 20

const shiftWithEnd = (shift: ReportedShift): string => {
  const end = shift.overSince === null ? '' : `; back since ${formatMoment(shift.overSince)}`
  return `- ${shiftLine(shift)}${end}${shift.alertId === null ? '' : `, alert ${shift.alertId}`}`
}

const percent = (ratio: number): string => formatPercent(Number(ratio.toPrecision(2)))

function visibleLine({ metric: id, noiseRatio, visibleRatio }: EnvironmentHistory['visible'][number]): string {
  const metric = findMetric(id)
  const name = metric === null ? id : sentenceLabel(metric)
  return `- ${name}: noise of a run ±${percent(noiseRatio.middle)}; 5 runs show a change of ${percent(visibleRatio.middle)}`
}

function nightLine({ at, factor, low, high, series, control }: EnvironmentHistory['nights'][number]): string {
  const [of, from, to] = [factor, low, high].map((one) => formatNumber(Number(one.toPrecision(3))))
  const alone = control === null ? '' : `, controls alone ${formatNumber(Number(control.toPrecision(3)))}`
  return `- ${formatDay(at)}: ${of} (95 % interval ${from} to ${to}), ${plural(series, 'series', 'series')}${alone}`
}
