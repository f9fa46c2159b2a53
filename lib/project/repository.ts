import { settingLimits } from './setting-limits'

/** A commit hash: whole, or at least its first 7 characters. */
const hash = /^[0-9a-f]{7,40}$/i

/** A path that is safe in any message as it is. */
const plainPath = /^[\w./~%+@:-]*$/

/**
 * A repository address as a project stores it: https, without user, query, fragment and trailing slash. Null: not a
 * valid one.
 */
export function readRepositoryUrl(text: string): string | null {
  const trimmed = text.trim()
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  if (url.search !== '' || url.hash !== '' || trimmed.length > settingLimits.repositoryUrl) return null
  if (!plainPath.test(url.pathname)) return null
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  const plain = path.endsWith('.git') ? path.slice(0, -'.git'.length) : path
  return `${url.origin}${plain}`
}

/** Address of a commit; null: the project names no repository, or this is no hash. */
export function commitUrl(repositoryUrl: string | null, commit: string): string | null {
  return repositoryUrl === null || !hash.test(commit) ? null : `${repositoryUrl}/commit/${commit}`
}

/** Address of the changes from one commit to another; null: as with `commitUrl`, or they are the same. */
export function diffUrl(repositoryUrl: string | null, from: string, to: string): string | null {
  if (repositoryUrl === null || from === to || !hash.test(from) || !hash.test(to)) return null
  return `${repositoryUrl}/compare/${from}...${to}`
}
