import type { WhyAnswer } from '@/lib/explain/explain-sides'
import { namedCurves } from '@/lib/explain/named-curves'
import { rankedValues } from '@/lib/explain/ranked-values'
import { shownParts, type ShownParts } from '@/lib/explain/shown-parts'
import type { WhyTable } from '@/lib/explain/why-report'
import { formatMs, formatPercent } from '@/lib/format'
import { headlineFact } from '@/lib/run/fact'
import type { Tool } from '@/lib/run/tools'
import { PlotSection } from '../../charts/plot/panel'
import { Fact } from '../../facts/fact'
import { ViewLinks } from '../../ui/links/view-links'
import { signed } from './part-words'
import { PartsBar, PartsByLatency } from './parts-bar'
import { prepareNamed } from './prepare-named'
import { RankedTable } from './ranked-table'
import type { WhyView } from '@/lib/judge/compare-url'
import styles from './why-view.module.css'

interface Props {
  /** The address of another view of it. */
  readonly hrefOf: (view: WhyView) => string
  readonly names: readonly string[]
  /** The runs of both sides, as in an address: what the sentence is about. */
  readonly subject: string
  readonly tool: Tool
  readonly answer: WhyAnswer
  readonly view: WhyView
  /** The plots of the page that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}

/** What a difference stands with: the sentence, its parts, what is named beside the rest, and all values in order. */
export function WhyAnswered(props: Props) {
  const { hrefOf, names, subject, answer, view } = props
  const { sentence, notes, tables } = answer.report
  const said = headlineFact('why', subject, sentence)
  return (
    <>
      {names.length > 2 && (
        <ViewLinks
          label="Side"
          choices={names.slice(1).map((name, at) => ({
            name,
            href: hrefOf({ ...view, side: at + 1 }),
            isChosen: view.side === at + 1,
          }))}
        />
      )}
      <Fact of={said} part="sentence" as="h1" className="headline">
        {sentence}
      </Fact>
      {answer.evidence === null ? <Printed tables={tables} /> : <Evidence {...props} />}
      <p className={`muted text-13 ${styles.notes ?? ''}`}>{notes.map((note) => `${note}.`).join(' ')}</p>
    </>
  )
}

/** Percentiles at which slow may begin, the first of them unless another shows more. */
const offered: readonly string[] = ['p99', 'p95', 'p90', 'p50', 'p99.9']
/** So much of the largest difference is enough for the first. */
const enough = 0.6

/** Where slow begins if nothing is chosen: at p99, or where the sides differ far more. */
function mostTelling(all: readonly ShownParts[]): ShownParts | undefined {
  const found = offered.flatMap((at) => all.find(({ name }) => name === at) ?? [])
  const sizes = found.map(({ baseShare, headShare }) => {
    const share = Math.min(1 - 1e-4, Math.max(1e-4, (baseShare + headShare) / 2))
    return Math.abs(headShare - baseShare) / Math.sqrt(share * (1 - share))
  })
  return found.find((_, at) => (sizes[at] ?? 0) >= enough * Math.max(...sizes)) ?? all[0]
}

function Evidence({ hrefOf, tool, answer, view, tables }: Props) {
  const { evidence } = answer
  // Nothing else is said of runs at different loads.
  if (evidence === null || evidence.explanation.kind === 'load-differs') return null
  const all = shownParts(evidence)
  const shown = all.find(({ name }) => name === view.at) ?? mostTelling(all)
  if (shown === undefined) return null
  const limit = { name: `slow: above ${formatMs(shown.thresholdMs)}`, value: shown.thresholdMs, metricId: null }
  const curves = namedCurves(evidence)
  return (
    <>
      <p className={`muted ${styles.lead ?? ''}`}>
        {slowWords(shown)} “Stands with” is no cause: it says where they are.
      </p>
      <div className={`grid one-column ${styles.parts ?? ''}`}>
        <section aria-label="Parts">
          <div className={`row wrap gap-8 ${styles.head ?? ''}`}>
            <h2 className="flush">{addedWords(shown)}</h2>
            <span className="muted text-13">the parts add up exactly</span>
            <span className="push">
              <ViewLinks
                label="Slow begins at"
                choices={all
                  .filter(({ name }) => offered.includes(name) || name === shown.name)
                  .map(({ name }) => ({
                    name,
                    href: hrefOf({ ...view, at: name }),
                    isChosen: name === shown.name,
                  }))}
              />
            </span>
          </div>
          <PartsBar shown={shown} />
        </section>
        <div className={`${styles.curves ?? ''}`}>
          {curves.map((curve, at) => (
            <PlotSection
              key={curve.title}
              label={curve.title}
              prepared={prepareNamed(curve, { id: at === 0 ? 'named' : 'others', tool, limits: [limit] })}
              otherwise={{ title: curve.title, reason: 'Too few of these requests for a percentile.' }}
              tables={tables}
            />
          ))}
          <section aria-label="Above other latencies">
            <h2 className={styles.small}>Above other latencies</h2>
            <PartsByLatency all={all} here={shown.name} />
          </section>
        </div>
        <RankedTable ranking={rankedValues(evidence, shown)} threshold={formatMs(shown.thresholdMs)} />
      </div>
    </>
  )
}

/** `Slow: above 70.7 ms, the p99 of the baseline: 1 % of its requests, 2.03 % of the candidate’s.` */
function slowWords({ name, thresholdMs, baseShare, headShare }: ShownParts): string {
  const shares = `${formatPercent(baseShare)} of its requests, ${formatPercent(headShare)} of the candidate’s`
  return `Slow: above ${formatMs(thresholdMs)}, the ${name} of the baseline: ${shares}.`
}

function addedWords({ baseRows, headRows }: ShownParts): string {
  const by = headRows - baseRows
  return by === 0 ? 'As many slow requests' : `${signed(by)} slow requests`
}

/** What printed reports say, beside each other. */
function Printed({ tables }: { readonly tables: readonly WhyTable[] }) {
  return tables.map(({ title, heads, rows }) => (
    <section key={title} aria-label={title} className={styles.printed}>
      <h2 className={styles.small}>{title}</h2>
      <table className="table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={head === '' ? undefined : 'num'}>
                {head === '' ? <span className="visually-hidden">Percentile</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={heads[at + 1]} className="num">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  ))
}
