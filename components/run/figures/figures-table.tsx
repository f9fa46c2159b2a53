import { missing } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { BulletDrawing } from '../../charts/plot/rows/bullet'
import { Fact } from '../../facts/fact'
import { Term } from '../../learn/term'
import { ListTable, type Head } from '../../ui/list-table'
import styles from './figures-table.module.css'
import { allFigures, judgedFigureWords, runsBeforeChange, runsOfRanges, type ExpectedFigure } from './run-figures'

interface Props {
  readonly run: StoredRun
  readonly canLearn?: boolean
  /** Leaves out figures without an expected range, unless no figure has one. */
  readonly isJudgedOnly?: boolean
}

/**
 * Every figure of the run: its value, its place in its expected range, and the text that the tool printed. `canLearn`:
 * words link to their explanations.
 */
export function FiguresTable({ run, canLearn = false, isJudgedOnly = false }: Props) {
  const all = allFigures(run)
  const judgedOnes = all.filter(({ expected }) => expected !== null)
  const figures = isJudgedOnly && judgedOnes.length > 0 ? judgedOnes : all
  if (figures.length === 0) return null
  const has: Columns = {
    printed: figures.some(({ printed }) => printed !== null),
    expected: figures.some(({ expected }) => expected !== null),
    judged: figures.some(({ judged }) => judged !== null),
    before: figures.some(({ expected }) => expected?.before != null),
  }
  const heads = headsOf(run, has, canLearn)
  const [runs, before] = [runsOfRanges(run), runsBeforeChange(run)]
  return (
    <section className="slim" aria-label="Figures of the run">
      <h2 className="section-title">
        Figures{' '}
        {runs !== null && (
          <span
            className={`muted text-12 regular ${styles.said}`}
            title="The range in which the next run of its level falls"
          >
            expected: by {runs} before{before !== null && `; dashed: expected ${before}`}
          </span>
        )}
      </h2>
      <ListTable
        label="Figures, and what was expected of them"
        className={styles.scroll}
        tableClass={styles.table}
        head={heads}
        numbers={heads.map(({ name }) => name).filter((name) => !textHeads.includes(name))}
      >
        {figures.map((figure) => (
          <FigureRow key={figure.id} figure={figure} has={has} />
        ))}
      </ListTable>
    </section>
  )
}

/** The columns that the table has. */
type Columns = Readonly<Record<'printed' | 'expected' | 'judged' | 'before', boolean>>

function headsOf(run: StoredRun, has: Columns, canLearn: boolean): readonly Head[] {
  const plain = (name: string): Head => ({ name, content: name })
  const expected = { name: 'Expected', content: canLearn ? <Term of="expected-range">Expected</Term> : 'Expected' }
  return [
    plain('Metric'),
    plain('This run'),
    ...(has.judged ? [plain(judgedFigureWords(run) ?? '')] : []),
    ...(has.expected ? [plain('In its range'), expected, plain('Its level'), plain('Against it')] : []),
    ...(has.before ? [plain('Expected before')] : []),
    ...(has.printed ? [plain('As printed')] : []),
  ]
}

/** Columns without numbers. */
const textHeads: readonly string[] = ['Metric', 'In its range']

function FigureRow({
  figure: { label, text, explain, title, tone, fact, expected, judged, words, printed },
  has,
}: {
  readonly figure: ExpectedFigure
  readonly has: Columns
}) {
  return (
    <tr title={`${explain} ${title}`}>
      <th scope="row">{label}</th>
      <Fact of={fact} as="td" className={`num medium ${styles.value}`} data-tone={tone ?? undefined}>
        {text}
      </Fact>
      {has.judged && <td className="num">{judged ?? missing}</td>}
      {has.expected && (
        <>
          <td className={styles.bullet}>
            {expected?.bullet ? (
              <>
                <BulletDrawing bullet={expected.bullet} />
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
