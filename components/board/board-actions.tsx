import type { BoardSeries } from '@/lib/board/series'
import { maxSharedSeries, type ShareKind } from '@/lib/project/stored-shares'
import { ShareButton } from '../share/share-button'

interface Props {
  readonly project: { readonly slug: string; readonly name: string }
  /** A board of documents is a matrix of their runs. */
  readonly kind: Extract<ShareKind, 'board' | 'matrix'>
  /** Those that the address selects, in order. */
  readonly series: readonly BoardSeries[]
  /** Absent: that of its address. */
  readonly view?: string
}

/** Shares the newest run of each series, of the first 200. */
export function BoardActions({ project, kind, series, view }: Props) {
  const newest = series.flatMap((one) => one.newest?.runId ?? []).slice(0, maxSharedSeries)
  if (newest.length === 0) return null
  return (
    <ShareButton
      projectSlug={project.slug}
      kind={kind}
      sides={[newest]}
      name={project.name}
      notes=""
      {...(view === undefined ? {} : { view })}
    />
  )
}
