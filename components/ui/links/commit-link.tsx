import { commitUrl } from '@/lib/project/repository'

/** A commit, as a link to the project's repository if that is known and the text is a hash. */
export function CommitLink({ commit, repositoryUrl }: { commit: string; repositoryUrl: string | null }) {
  const url = commitUrl(repositoryUrl, commit)
  if (url === null) return <span className="mono">{commit}</span>
  return (
    <a className="mono" href={url} rel="noreferrer" title="Commit in the repository">
      {commit}
    </a>
  )
}
