import type { ReactNode } from 'react'
import { mayBeExplained } from '@/lib/merge/may-be-explained'
import { writtenSides } from '@/lib/judge/comparison'
import { commonLimits, heldLimits, type RuleLimit } from '@/lib/rules/limits'
import { headlineFact } from '@/lib/run/fact'
import { namedLimits, objective } from '@/lib/run/limits'
import { noDistribution, prepareDistribution, type PreparedDistribution } from '../charts/distribution'
import { noPercentiles, preparePercentiles } from '../charts/percentiles'
import { PlotSection } from '../charts/plot/panel'
import { prepareRounds } from '../charts/rounds'
import { prepareShift } from '../charts/shift'
import { prepareTimelines } from '../charts/timelines'
import { LearnLink } from '../learn/learn-link'
import { FiguresTable } from '../run/figures/figures-table'
import { Fact } from '../facts/fact'
import { Link } from '../ui/links/link'
import { Menu } from '../ui/menu'
import { ViewLinks } from '../ui/links/view-links'
import { changedView, type CompareView } from './compare-view-state'
import { CostPanel } from './cost-panel'
import { Differences } from './differences'
import { JudgedRunHead } from './judged-run-head'
import { prepareJudgedFan } from './judged-run'
import { ForestTable } from './forest-table'
import { drawnWords, type PreparedComparison } from './prepare-comparison'
import { RunFindings } from './run-findings'
import { SidePills } from './side-pills'
import { whyHref } from '@/lib/judge/compare-url'
import { CarriedFields, MetricForm, SloForm } from './view-forms'
import styles from './comparison-view.module.css'

interface Props {
  readonly projectSlug: string
  readonly prepared: PreparedComparison
  /** That the rules of the project set. */
  readonly limits: readonly RuleLimit[]
  /** Above the sides: tabs; name, notes and take-aways of a saved comparison. */
  readonly children?: ReactNode
}

/**
 * A comparison: the difference in one sentence, then the size of each change, the distributions, and what to know about
 * each run.
 */
export function ComparisonView({ projectSlug, prepared, limits, children }: Props) {
  const { sides, runs, names, runNames, comparison, judged, differences, sideOfRun, refs, whole, view } = prepared
  const whyOf = sides.length > 1 && runs.every(({ form }) => mayBeExplained(form)) ? whyHref(projectSlug, refs) : null
  return (
    <div className="page">
      {children}
      <SidePills projectSlug={projectSlug} sides={sides} refs={refs} whole={whole} names={names} view={view.query} />
      {judged === null ? (
        <>
          <Sentence comparison={comparison} />
          {whyOf !== null && (
            <p className="flush">
              <Link href={whyOf}>What the difference stands with</Link>
            </p>
          )}
        </>
      ) : (
        <JudgedRunHead
          judged={judged}
          limits={heldLimits(limits, judged.run)}
          sentence={comparison.sentence}
          caution={comparison.caution}
          whyOf={whyOf}
        />
      )}
      <Differences differences={differences} names={runNames} />
      <div className={`grid one-column ${styles.parts}`}>
        <section aria-label="Figures">
          {judged === null ? (
            <ForestTable comparison={comparison} names={names} tools={<FigureTools prepared={prepared} />} canLearn />
          ) : (
            <FiguresTable run={judged.run} canLearn before={sides[0] ?? []} />
          )}
        </section>
        <Charts prepared={prepared} limits={commonLimits(limits, runs)} />
        <CostPanel runs={sides.map(([run]) => run)} names={names} view={view} />
        <RunFindings runs={runs} names={runNames} sides={sideOfRun} canLearn />
      </div>
    </div>
  )
}

function Sentence({ comparison }: Pick<PreparedComparison, 'comparison'>) {
  const { sentence, caution } = comparison
  const headline = headlineFact('comparison', writtenSides(comparison), sentence)
  return (
    <>
      <Fact of={headline} part="sentence" as="h1" className={`headline ${styles.sentence}`} />
      {caution !== '' && (
        <p className="muted caution">
          {caution} <LearnLink topic="one-run" />
        </p>
      )}
    </>
  )
}

/** Round by round, by percentile, by latency and over time. */
function Charts({ prepared, limits }: Pick<Props, 'prepared' | 'limits'>) {
  const { sides, names, comparison, judged, plotted, view } = prepared
  const { tables } = view
  const percentiles = preparePercentiles(plotted, [...objective(view.sloMs), ...namedLimits(limits)], view.y)
  const distribution = prepareDistribution(plotted, view.shape, view.axis)
  const drawn = drawnWords(prepared)
  const isUndrawn = judged === null && percentiles === null && distribution === null
  return (
    <>
      <PlotSection label="Rounds" prepared={prepareRounds(comparison.rounds, names)} tables={tables} />
      {drawn !== null && <p className="muted">{drawn}</p>}
      {isUndrawn && (
        <p className="muted">No percentile or histogram was printed, and there are no samples to compute them from.</p>
      )}
      <div className={`grid gap-12 one-column ${styles.linked}`}>
        <PlotSection
          label="Percentiles"
          prepared={judged === null ? percentiles : prepareJudgedFan(judged, sides, limits)}
          {...(!isUndrawn && { otherwise: noPercentiles })}
          tables={tables}
          menu={<SloForm view={view} />}
        />
        {judged === null && (
          <PlotSection
            label="Shift by percentile"
            prepared={prepareShift(sides, names, percentiles?.plot.x)}
            tables={tables}
          />
        )}
      </div>
      <PlotSection
        label="Histogram"
        prepared={distribution}
        {...(!isUndrawn && { otherwise: noDistribution })}
        tables={tables}
        tools={distribution && <DistributionTools distribution={distribution} view={view} />}
      />
      <PlotSection label="Over time" prepared={prepareTimelines(plotted)} tables={tables} />
    </>
  )
}

/** Choice of metrics, and of the part of the runs. */
function FigureTools({ prepared }: { prepared: PreparedComparison }) {
  const { comparison, view } = prepared
  return (
    <>
      <WindowChoice prepared={prepared} />
      <Menu label="Metrics" icon="columns" isNamed>
        <MetricForm name="m" chosen={comparison.rows.map((row) => row.metric)}>
          <CarriedFields view={view} without={['m']} />
        </MetricForm>
      </Menu>
    </>
  )
}

const shapeNames = { histogram: 'Histogram', ecdf: 'Cumulative' } as const

/** Whole runs, or the part after their warm-up; nothing if no run had one. */
function WindowChoice({ prepared: { hasSteady, view } }: { prepared: PreparedComparison }) {
  if (hasSteady === null) return null
  if (!hasSteady)
    return (
      <span className="muted">
        By whole runs: not every run has a part after its warm-up that could be compared. <LearnLink topic="warm-up" />
      </span>
    )
  const isSteady = view.window === 'steady'
  return (
    <ViewLinks
      label="Judged by"
      choices={[
        { name: 'Whole runs', href: `?${changedView(view, { window: null }).query}`, isChosen: !isSteady },
        { name: 'After warm-up', href: `?${changedView(view, { window: 'steady' }).query}`, isChosen: isSteady },
      ]}
    />
  )
}

function DistributionTools({ distribution, view }: { distribution: PreparedDistribution; view: CompareView }) {
  const href = (choice: Partial<CompareView>) => `?${changedView(view, choice).query}`
  return (
    <>
      {distribution.hasHistogram && (
        <ViewLinks
          label="Shape"
          choices={(['histogram', 'ecdf'] as const).map((shape) => {
            return { name: shapeNames[shape], href: href({ shape }), isChosen: distribution.shape === shape }
          })}
        />
      )}
      <ViewLinks
        label="Latency axis"
        choices={(['linear', 'log'] as const).map((axis) => ({
          name: axis === 'log' ? 'Log' : 'Linear',
          href: href({ axis }),
          isChosen: distribution.plot.x.scale === axis,
        }))}
      />
    </>
  )
}
