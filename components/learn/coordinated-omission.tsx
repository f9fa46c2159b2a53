import type { ReactNode } from 'react'
import { Link } from '../ui/links/link'
import { quantileMs } from '@/lib/run/figures'
import { formatCount, formatMs } from '@/lib/format'
import { joinWords } from '@/lib/text'
import { toolIds, tools, type ToolFacts } from '@/lib/run/tools'
import { preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { pause, pausedServer } from './constructed'
import { LearnFigure } from './learn-figure'
import { constructedRun, latencyOf, type ArticleProps } from './samples'

/** How tools handle it, the safest first; null: they measure something else, or do not state it. */
const whatTheyDo: Readonly<Record<ToolFacts['coordinatedOmission']['treatment'], ReactNode>> = {
  avoided:
    'sends on a schedule whether or not earlier responses have arrived: nothing is omitted as long as it reaches its rate.',
  'from-due-time':
    'measures from the time a request was due. Its “uncorrected” spectrum is what a waiting tool would have measured.',
  'values-added': (
    <>
      adds values afterwards for each wait longer than expected. Its mean and percentiles then describe more than the
      responses it received, and can contradict <Link href="/learn/littles-law">Little’s law</Link>.
    </>
  ),
  'by-options': 'does as its options say; its output does not state them.',
  none: 'corrects nothing: while waiting for a slow response, a connection sends nothing.',
  'does-not-apply': null,
  'not-stated': null,
}
const safestFirst = Object.keys(whatTheyDo)
const treating = safestFirst.flatMap((treatment) => {
  const names = toolIds.map((id) => tools[id]).filter(({ coordinatedOmission: own }) => own.treatment === treatment)
  const does = names[0] === undefined ? null : whatTheyDo[names[0].coordinatedOmission.treatment]
  return does === null
    ? []
    : [
        {
          treatment,
          names: joinWords(
            names.map(({ name }) => name),
            'and',
          ),
          does,
        },
      ]
})

/** Coordinated omission, on a constructed server that stops once. */
export function CoordinatedOmissionArticle({ tables }: ArticleProps) {
  const { fromSchedule, whileWaiting } = pausedServer()
  const waiting = constructedRun('waiting', 'the tool waits, then continues', whileWaiting)
  const scheduled = constructedRun('schedule', 'from the time each request was due', fromSchedule)
  const p99 = (run: typeof waiting) => formatMs(quantileMs(latencyOf(run.imported), 0.99))
  return (
    <>
      <p>
        A service responds in a millisecond or two. Once every {pause.lengthMs / 1000} seconds it stalls for{' '}
        {pause.pauseMs / 1000}. Users arrive every {pause.everyMs} ms all the while, so one in ten of them hits the
        stall and waits for up to that long. What does a load test report?
      </p>
      <LearnFigure note="A constructed example, not a measurement: both lines are computed from the same server.">
        <PlotPanel prepared={preparePercentiles([waiting, scheduled])} tables={tables} />
      </LearnFigure>
      <p>
        A tool that sends one request and waits for the response notices the stall once. It records one bad value among{' '}
        {formatCount(whileWaiting.length)} and calls p99 {p99(waiting)}. The{' '}
        {formatCount(fromSchedule.length - whileWaiting.length)} requests that were due meanwhile were never sent, so no
        figure includes them. Measured from the time when each was due, p99 is {p99(scheduled)}. Tool and system have,
        without meaning to, coordinated to leave out the worst part: Gil Tene named it coordinated omission.
      </p>
      <h2>What each tool does</h2>
      <ul>
        {treating.map(({ treatment, names, does }) => (
          <li key={treatment}>
            <strong>{names}</strong>: {does}
          </li>
        ))}
      </ul>
      <p>
        This is why each run says how its latencies were measured, and why a p99 of hey and one of wrk2 mean different
        things.
      </p>
    </>
  )
}
