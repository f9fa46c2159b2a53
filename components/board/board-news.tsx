import { headlineFact } from '@/lib/run/fact'
import { factAttributes } from '../facts/fact-attributes'
import { CommitLink } from '../ui/links/commit-link'
import { Link } from '../ui/links/link'
import { commitWords, formatDay } from '@/lib/format'
import type { NewsItem } from '@/lib/headline/project-headline'
import styles from './board.module.css'

interface Props {
  readonly news: readonly NewsItem[]
  readonly slug: string
  readonly repositoryUrl: string | null
}

/** A sentence for the newest document or commit, then for changes that still hold. */
export function BoardNews({ news, slug, repositoryUrl }: Props) {
  return (
    <ol className={`grid ${styles.news}`}>
      {news.map(({ at, commit, upload, sentence, alertId }, index) => (
        <li key={`${at}${index}`}>
          <span className="linked truncate muted text-13">
            <time dateTime={at}>{formatDay(at)}</time>
            {' · '}
            {upload === null ? (
              'change of level'
            ) : (
              <Link href={`/p/${slug}/runs?upload=${upload.id}`} title={upload.name}>
                {upload.name}
              </Link>
            )}
          </span>
          <p
            className={`flush ${styles.say}`}
            {...factAttributes(index > 0 ? null : headlineFact('board', slug, sentence), 'sentence')}
          >
            {commit === null || upload === null ? null : (
              <>
                <CommitLink commit={commitWords(commit)} repositoryUrl={repositoryUrl} />
                {': '}
              </>
            )}
            {sentence} {alertId === null ? null : <Link href={`/p/${slug}/alerts/${alertId}`}>Alert</Link>}
          </p>
        </li>
      ))}
    </ol>
  )
}
