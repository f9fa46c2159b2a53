const longestUrl = 500
/** What a commit is called by: a hash, whole or its first 7 characters at least. */
const hash = /^[0-9a-f]{7,40}$/i

/** A path that may stand in any message as it is. */
const plainPath = /^[\w./~%+@:-]*$/

/**
 * The address of a repository as a project keeps it: https, without user, query, fragment and slash at its end. Null: it
 * is none.
 */
export function readRepositoryUrl(text: string): string | null {
  const trimmed = text.trim()
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  if (url.search !== '' || url.hash !== '' || trimmed.length > longestUrl) return null
  if (!plainPath.test(url.pathname)) return null
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  const plain = path.endsWith('.git') ? path.slice(0, -'.git'.length) : path
  return `${url.origin}${plain}`
}

/** Where a commit is seen; null: the project names no repository, or this is no hash. */
export function commitUrl(repositoryUrl: string | null, commit: string): string | null {
  return repositoryUrl === null || !hash.test(commit) ? null : `${repositoryUrl}/commit/${commit}`
}

/** Where the changes from one commit to another are seen; null: as with `commitUrl`, or they are the same. */
export function diffUrl(repositoryUrl: string | null, from: string, to: string): string | null {
  if (repositoryUrl === null || from === to || !hash.test(from) || !hash.test(to)) return null
  return `${repositoryUrl}/compare/${from}...${to}`
}
