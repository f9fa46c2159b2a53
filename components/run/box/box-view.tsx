import { rowBoxParams, rowBoxWords, type RowBox } from '@/lib/cube/row-box'
import type { BoxAnswer } from '@/lib/explain/explain-box'
import { formatCount } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { headlineFact } from '@/lib/run/fact'
import { PlotSection } from '../../charts/plot/panel'
import { prepareHeatMap } from '../../charts/timeline'
import { Fact } from '../../facts/fact'
import { CopyButton } from '../../ui/actions/copy-button'
import { Link } from '../../ui/links/link'
import { boxChoiceOf, boxHref } from './box-choice'
import { BoxForm } from './box-form'
import { BoxParts, BoxValues } from './box-values'
import styles from './box.module.css'

interface Props {
  readonly run: StoredRun
  /** Null: none is drawn yet, or its bounds are not understood. */
  readonly box: RowBox | null
  /** Null: there is none, `problem` says why; without a box, both are. */
  readonly answer: BoxAnswer | null
  readonly problem: string | null
  /** The plots of the page that are shown as tables, by their ids. */
  readonly tables: readonly string[]
}

/** What the requests in a box over a run's heat map differ by from all others of the run. */
export function BoxView({ run, box, answer, problem, tables }: Props) {
  return (
    <>
      <Said run={run} box={box} answer={answer} problem={problem} />
      <div className={`${styles.columns} ${answer === null || answer.values.length === 0 ? styles.alone : ''}`}>
        <div className={styles.column}>
          <PlotSection
            label="Heat map"
            prepared={prepareHeatMap(run.imported.timeline)}
            tables={tables}
            box={boxChoiceOf(run, box)}
            tools={
              box !== null && (
                <Link className="button" href={boxHref(run, null)} scroll={false}>
                  Clear box
                </Link>
              )
            }
          />
          {boxChoiceOf(run, box) !== undefined && <BoxForm run={run} box={box} isOpen={answer === null} />}
        </div>
        <div className={styles.column}>
          {answer !== null && <BoxValues answer={answer} />}
          {answer !== null && <BoxParts parts={answer.parts} />}
          {answer !== null && answer.notes.length > 0 && (
            <p className="muted text-12 flush">{answer.notes.map((note) => `${note}.`).join(' ')}</p>
          )}
          {answer !== null && answer.kind !== 'refused' && (
            <div>
              <CopyButton text={null} label="Copy link to this box" command="Copy link to this box" />
            </div>
          )}
        </div>
      </div>
    </>
  )
}

function Said({ run, box, answer, problem }: Omit<Props, 'tables'>) {
  if (problem !== null) return <h1 className="headline">{problem}</h1>
  if (box === null || answer === null)
    return (
      <>
        <h1 className="headline">What is in a box of the heat map?</h1>
        <p className={`muted ${styles.lead}`}>
          Drag over the cells in question: their requests are ranked against all others of the run.
        </p>
      </>
    )
  const said = headlineFact('box', `${run.id} ${rowBoxParams(box).toString()}`, answer.sentence)
  return (
    <>
      <Fact of={said} part="sentence" as="h1" className="headline">
        {answer.sentence}
      </Fact>
      <p className={`muted ${styles.lead}`}>
        {answer.kind === 'refused' ? '' : `${formatCount(answer.insideRows)} requests: `}
        {rowBoxWords(box)}
        {answer.kind === 'refused' ? '.' : '. What they have in common says where they are, not why.'}
      </p>
    </>
  )
}
