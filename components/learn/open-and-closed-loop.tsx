import { Link } from '../ui/link'
import { quantileMs } from '@/lib/run/figures'
import { formatMs, formatNumber } from '@/lib/format'
import { HdrPlotPanel } from '../charts/hdr-plot-panel'
import { closedLoop, openLoop, queue } from './constructed'
import { LearnFigure } from './learn-figure'
import { constructedRun, latencyOf } from './samples'

/** Open and closed loop, on one constructed server under both. */
export function OpenAndClosedLoopArticle() {
  const closed = closedLoop()
  const open = openLoop(closed.requestsPerSecond * queue.rateRatio)
  const closedRun = constructedRun('closed', `closed loop, ${queue.users} connections`, closed.valuesMs)
  const openRun = constructedRun('open', `open loop, ${formatNumber(open.requestsPerSecond)} requests/s`, open.valuesMs)
  const p99 = (run: typeof openRun) => formatMs(quantileMs(latencyOf(run.imported), 0.99))
  return (
    <>
      <p>
        In a <strong>closed loop</strong> a fixed number of connections each send a request, wait for the answer, and
        send the next. When the system slows down, so does the load: never more requests wait than there are
        connections. hey and wrk work so, as does a batch job with a fixed set of workers.
      </p>
      <p>
        In an <strong>open loop</strong> requests come at a rate, whatever the system does: visitors of a site do not
        know of each other. When the system falls behind, they queue. vegeta and wrk2 work so.
      </p>
      <LearnFigure note="A constructed example, not a measurement: one worker, the same service times on average, two loops.">
        <HdrPlotPanel runs={[closedRun, openRun]} scale="linear" />
      </LearnFigure>
      <p>
        Here one worker takes {queue.meanServiceMs} ms for an answer on average. {queue.users} waiting connections get{' '}
        {formatNumber(closed.requestsPerSecond)} requests/s out of it with a p99 of {p99(closedRun)}. Requests that come
        on their own, a little slower at {formatNumber(open.requestsPerSecond)} a second, see {p99(openRun)}: nothing
        tells them to hold back while a queue is there.
      </p>
      <h2>What follows</h2>
      <ul>
        <li>
          To learn <strong>how much it can do</strong>, use a closed loop and read requests per second. Its latencies
          are mostly connections ÷ throughput (<Link href="/learn/littles-law">Little’s law</Link>).
        </li>
        <li>
          To learn <strong>how it feels at a given load</strong>, use an open loop at that rate, below what the system
          can do, and read the percentiles.
        </li>
        <li>
          If the rate reached is not the rate asked for, the generator or the system gave up. The latencies are then
          those of another test.
        </li>
        <li>Compare runs of one loop, at one rate or one number of connections. Otherwise the load differs, too.</li>
      </ul>
    </>
  )
}
