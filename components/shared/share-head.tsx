import type { ReactNode } from 'react'
import type { OpenedShare } from '@/lib/project/stored-shares'
import { formatDay } from '../../lib/format'
import { StateMark } from '../ui/state-mark'
import { factWords, type ShareFace } from './share-face'
import styles from './share-head.module.css'

/** Of a share without a chart of its own. */
const tableFiles = [
  ['table.md', 'Markdown'],
  ['data.csv', 'CSV'],
  ['data.json', 'JSON'],
] as const

/** Files at the share's address with a suffix. */
const files = [
  ['chart.svg', 'SVG'],
  ['chart.png', 'PNG'],
  ['table.md', 'Markdown'],
  ['data.csv', 'CSV'],
  ['data.json', 'JSON'],
  ['comparison.html', 'HTML'],
] as const

interface Props {
  readonly token: string
  readonly share: Pick<OpenedShare, 'kind' | 'name' | 'projectName' | 'createdAt' | 'expiresAt'>
  readonly face: ShareFace
  /** How a run was measured, beside its name; null: sides are compared. */
  readonly conditions: ReactNode
  /** It is a cell of a shared matrix or a run of a shared board, and links back to that. */
  readonly isCell?: boolean
}

/** Whose page this is, what was compared and when, the verdict and how sure it is, the expiry, and its files. */
export function ShareHead({ token, share, face, conditions, isCell = false }: Props) {
  const { kind, name, projectName, createdAt, expiresAt } = share
  const { subject, chips, sentence, caution, basis, facts } = face
  // A run shows the other facts beside its name.
  const shown = conditions === null ? [subject, ...factWords(facts)] : [facts.commit].filter((fact) => fact !== null)
  return (
    <header className={styles.head}>
      <p className={`flex wrap muted ${styles.name}`}>
        <strong className="text bold">{projectName}</strong>{' '}
        {isCell ? (
          <a href={`/s/${token}`}>Back to {name}</a>
        ) : (
          ![projectName, subject].includes(name) && <span>{name}</span>
        )}
      </p>
      {conditions !== null && (
        <p className={`${styles.meta} text-13`}>
          <strong className="text bold">{subject}</strong>
          {conditions}
          {shown.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      )}
      {chips.length > 0 && (
        <p className={`flex wrap gap-6 ${styles.chips}`}>
          {chips.map(({ state, words }) => (
            <StateMark key={words} judged={{ state, sentence }} words={words} />
          ))}
        </p>
      )}
      <h1 className={`flush break ${styles.sentence}`}>{sentence}</h1>
      {[caution, basis].map((words) =>
        words === '' ? null : (
          <p key={words} className={`muted above-4 ${styles.caution}`}>
            {withFullStop(words)}
          </p>
        ),
      )}
      {conditions === null && (
        <p className={styles.meta}>
          {shown.map((fact) => (
            <span key={fact} className={fact === subject ? 'text medium' : undefined}>
              {fact}
            </span>
          ))}
        </p>
      )}
      <p className={`${styles.meta} text-13 ${styles.link}`}>
        <span>Shared {formatDay(createdAt)}</span>
        <span>{expiresAt === null ? 'never expires' : `expires ${formatDay(expiresAt)}`}</span>
        {!isCell && (
          <span className={`screen-only ${styles.files}`}>
            Export:
            {(kind === 'matrix' || kind === 'board' ? tableFiles : files).map(([file, label]) => (
              <a key={file} href={`/s/${token}/${file}`} download={file.startsWith('chart') ? undefined : ''}>
                {label}
              </a>
            ))}
          </span>
        )}
      </p>
    </header>
  )
}

const withFullStop = (words: string): string => (words.endsWith('.') ? words : `${words}.`)
