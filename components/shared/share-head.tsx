import type { OpenedShare } from '@/lib/project/stored-shares'
import { formatDay } from '../../lib/format'
import { factWords, type ShareFace } from './share-face'
import styles from './share-head.module.css'

const matrixFiles = [
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
  /** It is a cell of a shared matrix, and links back to that. */
  readonly isCell?: boolean
}

/** Whose page this is, what was compared and when, the verdict and how sure it is, the expiry, and its files. */
export function ShareHead({ token, share, face, isCell = false }: Props) {
  const { kind, name, projectName, createdAt, expiresAt } = share
  const { subject, sentence, caution, facts } = face
  const isRun = kind === 'run'
  // A run shows the other facts itself, below.
  const shown = isRun ? [facts.commit].filter((fact) => fact !== null) : [subject, ...factWords(facts)]
  return (
    <header className={styles.head}>
      <p className={`flex wrap muted ${styles.name}`}>
        <strong className="text bold">{projectName}</strong>{' '}
        {isCell ? <a href={`/s/${token}`}>Back to {name}</a> : name !== projectName && <span>{name}</span>}
      </p>
      <h1 className={`flush ${styles.sentence}`}>{isRun ? subject : sentence}</h1>
      {caution !== '' && <p className={`muted above-4 ${styles.caution}`}>{withFullStop(caution)}</p>}
      {shown.length > 0 && (
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
          <span className={styles.files}>
            Export:
            {(kind === 'matrix' ? matrixFiles : files).map(([file, label]) => (
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
