import { noDistribution, prepareDistribution } from '../charts/distribution'
import { noPercentiles } from '../charts/percentiles'
import { SideKey } from '../charts/plot/legend'
import { PlotSection } from '../charts/plot/panel'
import { seriesStyle } from '../charts/plot/scale'
import { prepareRounds } from '../charts/rounds'
import { prepareShift } from '../charts/shift'
import { CostTable } from '../compare/cost-panel'
import { ForestTable } from '../compare/forest-table'
import { Differences } from '../compare/differences'
import { RunFindings } from '../compare/run-findings'
import { loadWords } from '../run/load-words'
import { runName } from '../runs/run-name'
import { percentilesOf } from './comparison-files'
import { drawnWords, type PreparedComparison } from '../compare/prepare-comparison'
import { ShareNotes } from './share-notes'
import styles from './shared-comparison.module.css'

interface Props {
  readonly prepared: PreparedComparison
  /** Markdown; empty: none. */
  readonly notes: string
  /** The charts that are shown as tables, by their ids. */
  readonly tables: readonly string[]
  /** The address of what the difference stands with; null: the share leaves that out. */
  readonly whyHref: string | null
}

/** A comparison for strangers: everything that makes the figures credible, and no links elsewhere. */
export function SharedComparison({ prepared, notes, tables, whyHref }: Props) {
  const { sides, runs, names, runNames, comparison, differences, plotted, sideOfRun, view } = prepared
  const drawn = drawnWords(prepared)
  const percentiles = percentilesOf(prepared)
  return (
    <div className={`grid gap-16 one-column ${styles.parts}`}>
      <ComparedRuns sides={sides} names={names} />
      {whyHref !== null && (
        <p className="flush">
          <a href={whyHref}>What the difference stands with</a>
        </p>
      )}
      <Differences differences={differences} names={runNames} />
      <section aria-label="Figures">
        <ForestTable comparison={comparison} names={names} />
      </section>
      <PlotSection label="Rounds" prepared={prepareRounds(comparison.rounds, names)} tables={tables} />
      {drawn !== null && <p className="muted">{drawn}</p>}
      <PlotSection label="Percentiles" prepared={percentiles} otherwise={noPercentiles} tables={tables} />
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
      <CostTable runs={sides.map(([run]) => run)} names={names} view={view} />
      <RunFindings runs={runs} names={runNames} sides={sideOfRun} />
      <ShareNotes notes={notes} />
    </div>
  )
}

function ComparedRuns({ sides, names }: Pick<PreparedComparison, 'sides' | 'names'>) {
  return (
    <ul className={`grid gap-6 ${styles.runs}`} aria-label="Compared runs">
      {sides.map(([run, ...repeats], at) => (
        <li key={run.id}>
          <SideKey style={seriesStyle(at)} /> <strong>{names[at]}</strong>{' '}
          {at === 0 && <span className="chip">base</span>}
          <span className="muted">
            {[
              runName(run),
              run.environment,
              run.tool,
              loadWords(run.load),
              repeats.length > 0 ? `${repeats.length + 1} runs` : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
