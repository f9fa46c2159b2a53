import { findMetric } from '@/lib/metrics'

/** Runs that one comparison takes at most. */
export const mostCompared = 10

/** `a...b...c` as ids, in order, each once; null when it is no comparison (none, or too many). */
export function readRefs(refs: string): readonly string[] | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(refs)
  } catch {
    return null
  }
  const ids = [...new Set(decoded.split('...').filter((id) => id !== ''))]
  return ids.length >= 1 && ids.length <= mostCompared ? ids : null
}

/** The address of a comparison; the first run is its base. `metricIds` null: the usual ones. */
export function compareUrl(
  projectSlug: string,
  runIds: readonly string[],
  metricIds: readonly string[] | null,
): string {
  const query = metricIds === null ? '' : `?m=${metricIds.map(encodeURIComponent).join(',')}`
  return `/p/${projectSlug}/compare/${runIds.map(encodeURIComponent).join('...')}${query}`
}

/** The known metric ids of `?m=p99,mean` or `?m=p99&m=mean`; null when there are none. */
export function readMetricIds(value: string | readonly string[] | undefined): readonly string[] | null {
  const ids = [value ?? []].flat().flatMap((part) => part.split(','))
  const known = [...new Set(ids)].filter((id) => findMetric(id) !== null)
  return known.length === 0 ? null : known
}
