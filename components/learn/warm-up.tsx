import { formatCount, formatMs } from '@/lib/format'
import { PlotPanel } from '../charts/plot/panel'
import { prepareTimeline, warmUpWords } from '../charts/timeline'
import { warming, warmingTimeline } from './constructed'
import { LearnFigure } from './learn-figure'
import type { ArticleProps } from './samples'

/** What a warm-up is, where it ends, and what the figures after it are, on a constructed run. */
export function WarmUpArticle({ tables }: ArticleProps) {
  const timeline = warmingTimeline()
  const endMs = timeline.warmUp?.endMs ?? 0
  return (
    <>
      <p>
        A server that has just started compiles code, fills caches and opens connections. Its first requests are slower,
        and a run that includes them describes two things at once: a start and a steady state.
      </p>
      <LearnFigure
        note={`A constructed example, not a measurement: p50 starts at ${formatMs(warming.startMs)} and settles at ${formatMs(warming.levelMs)}, with ${formatCount(warming.perSecond)} requests per second.`}
      >
        <PlotPanel prepared={prepareTimeline(timeline)} tables={tables} />
      </LearnFigure>
      <p>
        The shaded stretch is the warm-up: {warmUpWords(endMs)} here. Its end is found from the median of each stretch
        of the run. The first ones are cut as long as that makes the mean of the rest more certain; then a step or a
        decay is fitted, and the warm-up ends where latency comes within 10 % of its level.
      </p>
      <h2>What is shown</h2>
      <ul>
        <li>
          <strong>The whole run first.</strong> Its figures are those of the tool, and verdicts rest on them; a
          comparison can be judged after the warm-up instead.
        </li>
        <li>
          <strong>After the warm-up</strong>, a table beside them has what was measured from the next whole bin of the
          timeline on. Counts, mean and served/s are exact; percentiles are within 1.6 %.
        </li>
        <li>
          <strong>Never steady</strong> means that latency still rises or falls at the end: a leak, a growing queue, or
          a warm-up that takes longer than the run. Its figures describe a transition. Run it for longer.
        </li>
      </ul>
      <h2>When it matters</h2>
      <p>
        The shorter the run, the larger the share of its warm-up: at a constant rate, five slow seconds are 8 % of a
        minute’s requests and decide its p95, but 0.14 % of an hour’s. Compare runs of equal length, or warm the server
        up before you measure. Where cold starts are what users meet, the warm-up is the result.
      </p>
    </>
  )
}
