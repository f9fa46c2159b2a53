import type { ShareKind } from '@/lib/project/stored-shares'
import { formatDay } from '../../lib/format'
import styles from './share-head.module.css'

const matrixFiles = [
  ['table.md', 'Markdown'],
  ['data.csv', 'CSV'],
  ['data.json', 'JSON'],
] as const

/** Files that the share's address with a suffix gives. */
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
  readonly kind: ShareKind
  readonly name: string
  /** The verdict, or what was measured. */
  readonly sentence: string
  readonly createdAt: string
  /** Null: never. */
  readonly expiresAt: string | null
}

/** Whose page this is, what it says, until when, and the files that can be exported. */
export function ShareHead({ token, kind, name, sentence, createdAt, expiresAt }: Props) {
  return (
    <header className={styles.head}>
      <p className={styles.name}>{name}</p>
      <h1 className={styles.sentence}>{sentence}</h1>
      <p className={styles.meta}>
        <span>Shared {formatDay(createdAt)}</span>
        <span>{expiresAt === null ? 'never expires' : `expires ${formatDay(expiresAt)}`}</span>
        <span className={styles.files}>
          Export:
          {(kind === 'matrix' ? matrixFiles : files).map(([file, label]) => (
            <a key={file} href={`/s/${token}/${file}`} download={file.startsWith('chart') ? undefined : ''}>
              {label}
            </a>
          ))}
        </span>
      </p>
    </header>
  )
}
