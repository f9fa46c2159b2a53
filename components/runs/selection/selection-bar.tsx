import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { formatCount, plural } from '@/lib/format'
import { compareUrl, maxCompared } from '../../../lib/judge/compare-url'
import { useAnnouncedAction } from '../../ui/actions/action'
import { callApi } from '../../ui/actions/call-api'
import { Icon } from '../../ui/icon'
import { Link } from '../../ui/links/link'
import { useIsAllowed } from '../../ui/actions/access'
import { Menu } from '../../ui/menu'
import { offerUndo } from '../../ui/actions/toasts'
import styles from './run-selection.module.css'

/** Loaded when they are opened: they cost no list anything. */
const MergeDialog = lazy(async () => ({ default: (await import('../../merge/merge-dialog')).MergeDialog }))
const BulkEdit = lazy(async () => ({ default: (await import('./bulk-edit')).BulkEdit }))

interface Selected {
  readonly slug: string
  /** Ids, in the order of their comparison. */
  readonly selected: readonly string[]
}

interface BarProps extends Selected {
  /** Runs of the whole list; null: not counted. */
  readonly total: number | null
  onClear(): void
}

/** Actions on the selected runs. */
export function SelectionBar({ slug, selected, total, onClear }: BarProps) {
  const [isEditing, setIsEditing] = useState(false)
  const [merging, setMerging] = useState<readonly string[] | null>(null)
  const mayEdit = useIsAllowed('edit')
  return (
    <>
      <div
        className={`floating row wrap gap-8 text-13 screen-only ${styles.bar}`}
        role="region"
        aria-label="Selected runs"
        data-editing={isEditing ? '' : undefined}
      >
        <Suspense>
          {isEditing && <BulkEdit slug={slug} runIds={selected} onDone={() => setIsEditing(false)} />}
        </Suspense>
        <span className={styles.count} aria-live="polite">
          <strong>{formatCount(selected.length)} selected</strong>
          {total !== null && <span className="muted wide-only"> of {formatCount(total)}</span>}
        </span>
        <CompareSelected slug={slug} selected={selected} />
        {mayEdit && (
          <button
            type="button"
            className={`button ${styles.wide}`}
            aria-expanded={isEditing}
            onClick={() => setIsEditing(!isEditing)}
          >
            Edit labels
          </button>
        )}
        {(mayEdit || selected.length > 1) && (
          <MoreWithSelected
            slug={slug}
            selected={selected}
            onEdit={() => setIsEditing(true)}
            onMerge={() => setMerging(selected)}
            onDeleted={onClear}
          />
        )}
        <button
          type="button"
          className={`button button-icon ${styles.clear}`}
          title="Clear selection"
          onClick={onClear}
        >
          <Icon name="close" />
          <span className="visually-hidden">Clear selection</span>
        </button>
      </div>
      <Suspense>
        {merging !== null && <MergeDialog slug={slug} runIds={merging} onClose={() => setMerging(null)} />}
      </Suspense>
    </>
  )
}

function CompareSelected({ slug, selected }: Selected) {
  if (selected.length < 2) return <span className="muted">Select a second run to compare</span>
  if (selected.length > maxCompared) return <span className="muted">Up to {maxCompared} compare</span>
  return (
    <Link
      className="button button-primary"
      href={compareUrl(slug, selected, null)}
      data-command="Compare the selected runs"
      aria-keyshortcuts="C"
    >
      <Icon name="compare" /> Compare<span className="visually-hidden"> {plural(selected.length, 'run')}</span>
      <kbd aria-hidden="true">C</kbd>
    </Link>
  )
}

interface MoreProps extends Selected {
  onEdit(): void
  onMerge(): void
  onDeleted(): void
}

function MoreWithSelected({ slug, selected, onEdit, onMerge, onDeleted }: MoreProps) {
  const router = useRouter()
  const mayEdit = useIsAllowed('edit')
  const { isBusy, act } = useAnnouncedAction()
  const runs = plural(selected.length, 'run')
  const remove = async () => {
    await callApi('POST', `/api/v1/projects/${slug}/runs/bulk`, { action: 'delete', runs: selected })
    onDeleted()
    const restore = () => callApi('POST', `/api/v1/projects/${slug}/trash`, { action: 'restore', runs: selected })
    offerUndo(`${runs} deleted`, restore, () => router.refresh())
    return null
  }
  return (
    <Menu label="More with the selected runs" at="above">
      {mayEdit && (
        <button type="button" className={styles.narrow} onClick={onEdit}>
          Edit labels
        </button>
      )}
      {selected.length > 1 && (
        <Link href={`/p/${slug}/matrix?runs=${selected.join(',')}`} data-command={`Matrix of ${runs}`}>
          Matrix of {runs}
        </Link>
      )}
      {mayEdit && selected.length > 1 && (
        <button type="button" data-command={`Merge ${runs} into one`} onClick={onMerge}>
          Merge into one run …
        </button>
      )}
      {mayEdit && (
        <button
          type="button"
          data-danger=""
          data-command={`Delete ${runs}`}
          disabled={isBusy}
          onClick={() => void act(remove)}
        >
          Delete {runs}
        </button>
      )}
    </Menu>
  )
}
