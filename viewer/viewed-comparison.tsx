import { noDistribution, prepareDistribution } from '@/components/charts/distribution'
import { noPercentiles } from '@/components/charts/percentiles'
import { PlotSection } from '@/components/charts/plot/panel'
import { prepareRounds } from '@/components/charts/rounds'
import { prepareShift } from '@/components/charts/shift'
import { prepareTimelines } from '@/components/charts/timelines'
import { Differences } from '@/components/compare/differences'
import { ForestTable } from '@/components/compare/forest-table'
import { drawnWords, type PreparedComparison } from '@/components/compare/prepare-comparison'
import { RunFindings } from '@/components/compare/run-findings'
import { readChartView } from '@/components/run/figures/chart-view'
import { percentilesOf } from '@/components/shared/comparison-files'
import { captionOf, comparisonFace, factWords } from '@/components/shared/share-face'
import { SharedConditions, SharedRun } from '@/components/shared/shared-run'
import { PlotCaption } from '@/components/ui/plot-caption'
import styles from './viewer.module.css'

/** A run or a comparison, as a share shows it to strangers: the parts are the same. */
export function ViewedComparison({ prepared }: { readonly prepared: PreparedComparison }) {
  const face = comparisonFace(prepared)
  const { sides } = prepared
  const [[run]] = sides
  return (
    <PlotCaption caption={captionOf('Tailboard', face)}>
      <header className={styles.verdict}>
        <h1 className="headline">{sides.length === 1 ? face.subject : face.sentence}</h1>
        {sides.length > 1 && face.caution !== '' && <p className="muted caution">{withFullStop(face.caution)}</p>}
        <p className={`row wrap gap-8 muted text-13 ${styles.facts}`}>
          {sides.length === 1 ? (
            <SharedConditions run={run} />
          ) : (
            factsOf(prepared).map((fact) => <span key={fact}>{fact}</span>)
          )}
        </p>
      </header>
      {sides.length === 1 ? (
        <SharedRun
          run={run}
          notes=""
          hasRaw={false}
          isAlone
          view={readChartView(new URLSearchParams())}
          tables={prepared.view.tables}
        />
      ) : (
        <Parts prepared={prepared} />
      )}
    </PlotCaption>
  )
}

const withFullStop = (words: string): string => (words.endsWith('.') ? words : `${words}.`)

/** Without the day on which a file was written: nothing was uploaded. */
function factsOf(prepared: PreparedComparison): readonly string[] {
  const { facts } = comparisonFace(prepared)
  const isDated = prepared.runs.some(({ startedAt }) => startedAt !== null)
  return factWords(facts).filter((fact) => isDated || fact !== facts.period)
}

function Parts({ prepared }: { readonly prepared: PreparedComparison }) {
  const { sides, runs, names, runNames, comparison, differences, plotted, sideOfRun, view } = prepared
  const { tables } = view
  const percentiles = percentilesOf(prepared)
  const drawn = drawnWords(prepared)
  return (
    <>
      <Differences differences={differences} names={runNames} />
      <div className={`grid one-column ${styles.parts}`}>
        <div className={`grid one-column ${styles.first}`}>
          <section aria-label="Figures">
            <ForestTable comparison={comparison} names={names} />
          </section>
          <PlotSection label="Percentiles" prepared={percentiles} otherwise={noPercentiles} tables={tables} />
        </div>
        {drawn !== null && <p className="muted">{drawn}</p>}
        <PlotSection label="Rounds" prepared={prepareRounds(comparison.rounds, names)} tables={tables} />
        <PlotSection
          label="Shift by percentile"
          prepared={prepareShift(sides, names, percentiles?.plot.x)}
          tables={tables}
        />
        <PlotSection
          label="Histogram"
          prepared={prepareDistribution(plotted, view.shape, view.axis)}
          otherwise={noDistribution}
          tables={tables}
        />
        <PlotSection label="Over time" prepared={prepareTimelines(plotted)} tables={tables} />
        <RunFindings runs={runs} names={runNames} sides={sideOfRun} />
      </div>
    </>
  )
}
