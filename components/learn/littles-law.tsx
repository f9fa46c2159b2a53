import { Link } from '../ui/links/link'
import { formatMs, formatNumber } from '@/lib/format'
import { prepareInFlight } from '../charts/in-flight'
import { PlotPanel } from '../charts/plot/panel'
import { LearnFigure } from './learn-figure'
import { latencyOf, sampleName, type ArticleProps } from './samples'

/** Little's law, on the real runs of hey and wrk. */
export function LittlesLawArticle({ samples, tables }: ArticleProps) {
  const runs = [...samples.hey.slice(0, 2), ...samples.wrk]
  const prepared = prepareInFlight(
    runs.map((run, at) => ({ id: String(at), name: `${run.tool}, ${sampleName(run)}`, imported: run })),
  )
  const [first] = runs
  const firstBar = prepared?.runs[0]
  const over = prepared?.runs.find(({ ratio }) => ratio > 1)
  const overRun = over ? runs[Number(over.id)] : undefined
  if (!prepared || !first?.requestsPerSecond || !firstBar || !over || !overRun?.requestsPerSecond) return null
  return (
    <>
      <p>
        Picture a shop. If ten customers enter each minute and each stays three minutes, thirty are inside on average.
        This holds for every queue, whatever the arrivals and service times: John Little proved it in 1961.
      </p>
      <p>
        <strong>requests in flight = requests per second × mean latency</strong>
      </p>
      <p>
        A load test prints all three, so they check each other. A closed loop cannot have more requests in flight than
        connections, because each connection carries one at a time.
      </p>
      <LearnFigure note="Real runs of the sample projects: rate × mean as printed by the tool, against the connections of its command. The vertical mark is every connection busy all the time.">
        <PlotPanel prepared={prepared} tables={tables} />
      </LearnFigure>
      <p>
        hey’s first run: {formatNumber(first.requestsPerSecond)} a second × {formatMs(latencyOf(first).meanMs)} ={' '}
        {formatNumber(firstBar.inFlight)} in flight. Just below the mark is where a closed loop should be: nearly all
        connections are waiting for a response. Far below, something throttled the requests: a rate limit, or the
        generator itself.
      </p>
      <p>
        wrk’s {sampleName(overRun)} is beyond it: {formatNumber(over.inFlight)} on {formatNumber(over.connections)}{' '}
        connections. The rate was counted, so the mean must be too high: wrk adds values for{' '}
        <Link href="/learn/coordinated-omission">coordinated omission</Link>. The measured mean was at most{' '}
        {formatMs((over.connections / overRun.requestsPerSecond) * 1000)}.
      </p>
      <h2>Other uses</h2>
      <ul>
        <li>Connections for a target: rate × expected latency, plus some headroom.</li>
        <li>
          In a saturated closed loop, doubling the connections doubles the latency and nothing else. Such a latency
          reflects how many connections you chose.
        </li>
      </ul>
    </>
  )
}
