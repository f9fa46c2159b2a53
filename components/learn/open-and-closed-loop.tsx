import { toolNames } from '@/lib/run/tools'
import { Link } from '../ui/links/link'
import { quantileMs } from '@/lib/run/figures'
import { formatMs, formatNumber } from '@/lib/format'
import { preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { closedLoop, openLoop, queue } from './constructed'
import { LearnFigure } from './learn-figure'
import { constructedRun, latencyOf, type ArticleProps } from './samples'

/** Open and closed loop, on one constructed server under both. */
export function OpenAndClosedLoopArticle({ tables }: ArticleProps) {
  const closed = closedLoop()
  const open = openLoop(closed.requestsPerSecond * queue.rateRatio)
  const closedRun = constructedRun('closed', `closed loop, ${queue.users} connections`, closed.valuesMs)
  const openRun = constructedRun('open', `open loop, ${formatNumber(open.requestsPerSecond)} requests/s`, open.valuesMs)
  const p99 = (run: typeof openRun) => formatMs(quantileMs(latencyOf(run.imported), 0.99))
  return (
    <>
      <p>
        In a <strong>closed loop</strong> a fixed number of connections each send a request, wait for the response, and
        send the next. When the system slows down, so does the load: there are never more waiting requests than
        connections. {toolNames(({ loop }) => loop === 'closed', 'and')} work this way, as does a batch job with a fixed
        set of workers.
      </p>
      <p>
        In an <strong>open loop</strong> requests arrive at a given rate, whatever the system does: visitors of a site
        are independent of each other. When the system falls behind, they queue.{' '}
        {toolNames(({ loop }) => loop === 'open', 'and')} work this way.
      </p>
      <LearnFigure note="A constructed example, not a measurement: one worker, the same service times on average, two loops.">
        <PlotPanel prepared={preparePercentiles([closedRun, openRun])} tables={tables} />
      </LearnFigure>
      <p>
        Here one worker takes {queue.meanServiceMs} ms per response on average. {queue.users} waiting connections get{' '}
        {formatNumber(closed.requestsPerSecond)} requests/s out of it with a p99 of {p99(closedRun)}. Independent
        requests at a slightly lower rate, {formatNumber(open.requestsPerSecond)} per second, see {p99(openRun)}:
        nothing slows them down while there is a queue.
      </p>
      <h2>What follows</h2>
      <ul>
        <li>
          To learn <strong>how much it can do</strong>, use a closed loop and read requests per second. Its latencies
          are mostly connections ÷ throughput (<Link href="/learn/littles-law">Little’s law</Link>).
        </li>
        <li>
          To learn <strong>how it behaves at a given load</strong>, use an open loop at that rate, below what the system
          can do, and read the percentiles.
        </li>
        <li>
          If the actual rate is not the target rate, the generator or the system could not keep up. The latencies are
          then those of a different test.
        </li>
        <li>
          Compare runs with the same loop, at the same rate or number of connections. Otherwise the load differs too.
        </li>
      </ul>
    </>
  )
}
