import type { RunNames } from '@/lib/history/stored-runs'
import { commitUrl } from '@/lib/project/repository'

const longestCommit = 12

/** A commit in a list. */
export interface ShownCommit {
  readonly text: string
  /** Null: the project names no repository, or this is no hash. */
  readonly href: string | null
  /** First line of its message; null: not sent. */
  readonly subject: string | null
}

/** The commit in a run's labels; null: it has none. */
export function shownCommit(labels: RunNames['labels'], repositoryUrl: string | null): ShownCommit | null {
  const { commit, subject = null } = labels
  if (commit === undefined) return null
  const text = commit.length > longestCommit ? commit.slice(0, longestCommit) : commit
  return { text, href: commitUrl(repositoryUrl, commit), subject }
}
