import { quantileMs } from '@/lib/run/figures'
import { formatCount, formatMs } from '@/lib/format'
import { preparePercentiles } from '../charts/percentiles'
import { PlotPanel } from '../charts/plot/panel'
import { repeated, repeatedRuns } from './constructed'
import { LearnFigure } from './learn-figure'
import { constructedRun, latencyOf, type ArticleProps } from './samples'

/** Why one run proves little, on constructed repeats of one unchanging system. */
export function OneRunArticle({ tables }: ArticleProps) {
  const runs = repeatedRuns().map((valuesMs, at) => constructedRun(String(at), `run ${at + 1}`, valuesMs))
  const range = (q: number) => {
    const values = runs.flatMap((run) => quantileMs(latencyOf(run.imported), q) ?? [])
    return { lowMs: Math.min(...values), highMs: Math.max(...values) }
  }
  const p50 = range(0.5)
  const p99 = range(0.99)
  const morePercent = Math.round((p99.highMs / p99.lowMs - 1) * 100)
  return (
    <>
      <p>
        You change one line, test before and after, and p99 is ten percent better. Was it the line? First ask what
        happens when nothing changes.
      </p>
      <LearnFigure
        note={`A constructed example, not a measurement: ${repeated.runs} runs of ${formatCount(repeated.requests)} requests each, drawn from one distribution. They differ by chance only.`}
      >
        <PlotPanel prepared={preparePercentiles(runs)} tables={tables} />
      </LearnFigure>
      <p>
        The system is the same in all of them, by construction. Still, p50 ranges from {formatMs(p50.lowMs)} to{' '}
        {formatMs(p50.highMs)} and p99 from {formatMs(p99.lowMs)} to {formatMs(p99.highMs)}: pick two of these runs and
        you can “prove” {morePercent} %. Real systems vary more, because a noisy neighbour, a warm cache, a garbage
        collection or a different placement in the cloud affects a whole run.
      </p>
      <h2>More requests are not more runs</h2>
      <p>
        A longer run stabilises its own percentiles. It says nothing about the next start of the same system, since all
        its requests share one machine, one moment and one state. So the comparison counts runs, not requests.
      </p>
      <h2>What to do</h2>
      <ul>
        <li>
          <strong>Repeat both sides in rounds</strong>, a run of each, in a drawn order. Otherwise drift during the day
          ends up in your result.
        </li>
        <li>
          <strong>Eight rounds</strong> are a good start: a comparison says how many more would decide. Below seven, an
          interval has to assume how rounds scatter.
        </li>
        <li>
          <strong>Check the spread of repeats</strong> before the difference. Until it is beyond noise, or shown to be
          none, it is <code>undecided</code>.
        </li>
        <li>With n = 1 there is no spread and no tail: it is a value, not a result.</li>
      </ul>
    </>
  )
}
