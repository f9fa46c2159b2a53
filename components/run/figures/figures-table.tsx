import { missing } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { BulletDrawing, type Bullet } from '../../charts/plot/rows/bullet'
import { Fact } from '../../facts/fact'
import { Term } from '../../learn/term'
import { ListTable, type Head } from '../../ui/list-table'
import styles from './figures-table.module.css'
import { prepareFiguresOnLevel, type OnLevel } from './on-level'
import { allFigures, judgedFigureWords, runsBeforeChange, runsOfRanges, type ExpectedFigure } from './run-figures'

interface Props {
  readonly run: StoredRun
  readonly canLearn?: boolean
  /**
   * Earlier runs of its series beside it: figures with an expected range only, if there are any, on one axis. Absent:
   * all figures, each on its own.
   */
  readonly before?: readonly StoredRun[]
}

/**
 * Every figure of the run: its value, its place in its expected range, and the text that the tool printed. `canLearn`:
 * words link to their explanations.
 */
export function FiguresTable({ run, canLearn = false, before: others }: Props) {
  const all = allFigures(run)
  const judgedOnes = all.filter(({ expected }) => expected !== null)
  const figures = others !== undefined && judgedOnes.length > 0 ? judgedOnes : all
  const onLevel = others === undefined ? null : prepareFiguresOnLevel(run, others)
  if (figures.length === 0) return null
  const has: Columns = {
    printed: figures.some(({ printed }) => printed !== null),
    expected: figures.some(({ expected }) => expected !== null),
    judged: figures.some(({ judged }) => judged !== null),
    before: figures.some(({ expected }) => expected?.before != null),
  }
  const heads = headsOf(run, has, { canLearn, onLevel })
  const [runs, before] = [runsOfRanges(run), runsBeforeChange(run)]
  return (
    <section className="slim" aria-label="Figures of the run">
      <h2 className="section-title">
        {onLevel === null ? 'Figures' : 'Each figure on its level'}{' '}
        {runs !== null && (
          <span
            className={`muted text-12 regular ${styles.said}`}
            title="The range in which the next run of its level falls"
          >
            expected: by {runs} before{before !== null && `; dashed: expected ${before}`}
            {onLevel !== null && others !== undefined && `; thin lines: the ${others.length} before`}
          </span>
        )}
      </h2>
      <ListTable
        label="Figures, and what was expected of them"
        className={styles.scroll}
        tableClass={[styles.table, ...(onLevel === null ? [] : [styles.onLevel, has.judged ? '' : styles.few])].join(
          ' ',
        )}
        head={heads}
        numbers={heads.map(({ name }) => name).filter((name) => !textHeads.includes(name))}
      >
        {figures.map((figure) => (
          <FigureRow
            key={figure.id}
            figure={figure}
            bullet={onLevel === null ? (figure.expected?.bullet ?? null) : (onLevel.bullets.get(figure.id) ?? null)}
            has={has}
          />
        ))}
      </ListTable>
    </section>
  )
}

/** The columns that the table has. */
type Columns = Readonly<Record<'printed' | 'expected' | 'judged' | 'before', boolean>>

interface Said {
  readonly canLearn: boolean
  /** Null: each figure has an axis of its own. */
  readonly onLevel: OnLevel | null
}

function headsOf(run: StoredRun, has: Columns, { canLearn, onLevel }: Said): readonly Head[] {
  const plain = (name: string): Head => ({ name, content: name })
  const expected = { name: 'Expected', content: canLearn ? <Term of="expected-range">Expected</Term> : 'Expected' }
  const [from, to] = onLevel?.ends ?? []
  const inRange: Head =
    onLevel === null
      ? plain('In its range')
      : {
          name: 'In its range',
          content: (
            <span className={`flex between ${styles.axis}`}>
              <span>{from}</span>
              <span>level</span>
              <span>{to}</span>
            </span>
          ),
        }
  return [
    plain('Metric'),
    plain('This run'),
    ...(has.judged ? [plain(judgedFigureWords(run) ?? '')] : []),
    ...(has.expected ? [inRange, expected, plain('Its level'), plain('Against it')] : []),
    ...(has.before ? [plain('Expected before')] : []),
    ...(has.printed ? [plain('As printed')] : []),
  ]
}

/** Columns without numbers. */
const textHeads: readonly string[] = ['Metric', 'In its range']

function FigureRow({
  figure: { label, text, explain, title, tone, isFew, fact, expected, judged, words, printed },
  bullet,
  has,
}: {
  readonly figure: ExpectedFigure
  /** Null: it is not drawn. */
  readonly bullet: Bullet | null
  readonly has: Columns
}) {
  return (
    <tr title={`${explain} ${title}`}>
      <th scope="row">{label}</th>
      <Fact
        of={fact}
        as="td"
        className={`num medium ${styles.value}`}
        data-tone={tone ?? undefined}
        data-few={isFew || undefined}
      >
        {text}
      </Fact>
      {has.judged && <td className="num">{judged ?? missing}</td>}
      {has.expected && (
        <>
          <td className={styles.bullet}>
            {bullet ? (
              <>
                <BulletDrawing bullet={bullet} />
                <span className="visually-hidden">{words}</span>
              </>
            ) : (
              <span className="muted">{words}</span>
            )}
          </td>
          <Fact of={expected?.fact ?? null} part="range" as="td" className="num">
            {expected?.range ?? missing}
          </Fact>
          <Fact of={expected?.fact ?? null} part="level" as="td" className="num">
            {expected?.level ?? missing}
          </Fact>
          <Fact of={expected?.againstFact ?? null} part="effect" as="td" className="num" title={expected?.interval}>
            {expected?.against ?? missing}
          </Fact>
          {has.before && (
            <Fact of={expected?.beforeFact ?? null} part="range" as="td" className="num muted">
              {expected?.before ?? missing}
            </Fact>
          )}
        </>
      )}
      {has.printed && <td className={`num mono ${styles.printed}`}>{printed ?? missing}</td>}
    </tr>
  )
}
