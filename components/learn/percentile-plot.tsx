import { quantileMs } from '@/lib/run/figures'
import { formatMs } from '@/lib/format'
import { preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { LearnFigure } from './learn-figure'
import { latencyOf, sampleName, type ArticleProps } from './samples'

/** How to read a percentile plot, on two real runs of hey. */
export function PercentilePlotArticle({ samples, tables }: ArticleProps) {
  const runs = samples.hey.slice(0, 2)
  const [first] = runs
  if (!first) return null
  const latency = latencyOf(first)
  return (
    <>
      <p>
        A latency is not one number. Sort all requests by latency: halfway is p50, the median; at 99 of 100 is p99,
        which one request in a hundred exceeds. The plot below shows them in that order, with latency upwards.
      </p>
      <LearnFigure note="Two real runs of the sample project, as hey printed them. The lines only join the points.">
        <PlotPanel
          prepared={preparePercentiles(
            runs.map((run, at) => ({ id: String(at), name: sampleName(run), imported: run })),
          )}
          tables={tables}
        />
      </LearnFigure>
      <p>
        The axis gives each further nine the same width: 90, 99, 99.9. On a linear scale, everything past p99 would be
        the last hundredth of the picture, and that is where timeouts, cold starts and unhappy users are. It matters
        more often than it sounds: a page that makes 100 independent calls hits one slower than p99 in 63 of 100 views.
      </p>
      <h2>What it shows</h2>
      <ul>
        <li>
          <strong>A step</strong> means two kinds of requests: cached and not, warm and cold. Its position on the axis
          is the share of the slow kind.
        </li>
        <li>
          <strong>A steady climb</strong> usually means queueing: requests wait for each other.
        </li>
        <li>
          <strong>The mean</strong> hides both. For {sampleName(first)} it is {formatMs(latency.meanMs)}, while half of
          the requests took {formatMs(quantileMs(latency, 0.5))} or less and the max was {formatMs(latency.maxMs)}.
        </li>
      </ul>
      <h2>Where it stops being evidence</h2>
      <p>
        p99.9 of 1 000 requests is decided by a single one: run again and it is another number. So a point is hollow
        where fewer than ten requests are slower, and the line fades on its way there. Above, the lines end at p99 and
        the max stands apart, as hey printed nothing between them. To trust p99.9, send 10 000 requests; for p99.99, 100
        000. Percentiles cannot be averaged either: the mean of ten runs’ p99 is not the p99 of anything.
      </p>
    </>
  )
}
