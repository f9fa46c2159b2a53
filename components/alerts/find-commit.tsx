'use client'

import { findCommitWords, type CommitSearch } from '@/lib/experiment/find-commit'
import { commitWords, formatPercent, plural } from '@/lib/format'
import { CommandLine } from '../ui/actions/curl-line'
import styles from './find-commit.module.css'

/** Commits that are listed; the others are counted. */
const shown = 6

/** Which commits may have brought a change, which one to run next, and the command that finds it. */
export function FindCommit({ search }: { readonly search: CommitSearch }) {
  const { sentence, next } = findCommitWords(search, commitWords)
  const byProbability = search.suspects.toSorted((a, b) => b.probability - a.probability)
  const most = byProbability[0]?.probability ?? 1
  const others = byProbability.slice(shown)
  const rest = others.reduce((sum, { probability }) => sum + probability, 0)
  return (
    <section aria-labelledby="find-commit">
      <h3 id="find-commit" className={styles.title}>
        Find the commit
      </h3>
      <p className="below-4">{sentence}.</p>
      <ul className={`grid text-13 ${styles.suspects}`}>
        {search.suspects
          .filter((one) => !others.includes(one))
          .map(({ commit, probability }) => (
            <li key={commit}>
              <span className={styles.commit}>{commitWords(commit)}</span>
              <span className={styles.bar} aria-hidden="true">
                <span style={{ width: `${(100 * probability) / most}%` }} />
              </span>
              <span className="num">{formatPercent(Number(probability.toFixed(2)))}</span>
            </li>
          ))}
        {others.length > 0 && (
          <li className="muted">
            <span>{plural(others.length, 'other')}</span>
            <span />
            <span className="num">{formatPercent(Number(rest.toFixed(2)))}</span>
          </li>
        )}
      </ul>
      <p className="below-4">{next}. This command finds the commit, however noisy the runs are:</p>
      <CommandLine command={search.command} name="The command that finds the commit" />
    </section>
  )
}
