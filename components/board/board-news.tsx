import { CommitLink } from '../ui/commit-link'
import { Link } from '../ui/link'
import { formatDay } from '@/lib/format'
import type { NewsItem } from '@/lib/board/news'
import styles from './board.module.css'

interface Props {
  readonly news: readonly NewsItem[]
  readonly slug: string
  readonly repositoryUrl: string | null
}

const shownCommit = 10

/** A sentence for the newest document or commit, then for changes that still hold. */
export function BoardNews({ news, slug, repositoryUrl }: Props) {
  return (
    <ol className={styles.news}>
      {news.map(({ at, commit, upload, sentence, alertId }, index) => (
        <li key={`${at}${index}`}>
          <span className={styles.when}>
            <time dateTime={at}>{formatDay(at)}</time>
            {' · '}
            {commit !== null ? (
              <CommitLink commit={commit.slice(0, shownCommit)} repositoryUrl={repositoryUrl} />
            ) : upload === null ? (
              'change of level'
            ) : (
              <Link href={`/p/${slug}/runs?upload=${upload.id}`} title={upload.name}>
                {upload.name}
              </Link>
            )}
          </span>
          <p className={styles.say}>
            {sentence} {alertId === null ? null : <Link href={`/p/${slug}/alerts/${alertId}`}>Alert</Link>}
          </p>
        </li>
      ))}
    </ol>
  )
}
