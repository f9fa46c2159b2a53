import { BulletDrawing } from '../../charts/plot/rows/bullet'
import { Fact } from '../../facts/fact'
import { Term } from '../../learn/term'
import type { TermName } from '../../learn/terms'
import styles from './key-figures.module.css'
import type { KeyFigure } from './run-figures'

interface Props {
  readonly figures: readonly KeyFigure[]
  /** Words link to their explanations. */
  readonly canLearn?: boolean
}

/** Terms that explain figures, by the figure's id. */
const words: Readonly<Record<string, TermName>> = { p99: 'p99', throughput: 'served', 'requests-per-second': 'served' }

/** The few large figures of a page, each with its expected range; the printed text on hover. */
export function KeyFigures({ figures, canLearn = false }: Props) {
  if (figures.length === 0) return null
  return (
    <dl className={`flex wrap ${styles.figures}`} aria-label="Key figures">
      {figures.map(({ id, label, text, unit, tone, bullet, sub, title, isFew, fact, expected, against }) => (
        <div key={id} title={title}>
          <dt>{canLearn && id in words ? <Term of={words[id] ?? 'p99'}>{label}</Term> : label}</dt>
          <Fact of={fact} as="dd" className={styles.value} data-tone={tone ?? undefined} data-few={isFew || undefined}>
            {text}
            {unit !== '' && (
              <span className={`text-14 medium ${styles.unit}`}>{unit === '/s' ? unit : `\u00a0${unit}`}</span>
            )}
          </Fact>
          <Fact of={expected} part="range" as="dd" className={`muted text-12 ${styles.sub}`}>
            <span className={`block ${styles.bullet}`}>{bullet && <BulletDrawing bullet={bullet} />}</span>
            {lastUnbroken(sub)}
          </Fact>
          {against !== null && (
            <dd className="muted text-12">
              <Fact of={against.fact} part="effect" /> {against.words}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** A range ends its text; a line may end before it, not at its dash. */
function lastUnbroken(text: string) {
  const end = text.lastIndexOf(' ') + 1
  return (
    <>
      {text.slice(0, end)}
      <span className="nowrap">{text.slice(end)}</span>
    </>
  )
}
