import { Link } from '../ui/links/link'
import { usePathname, useRouter } from 'next/navigation'
import { formatBytes, formatPercent, plural } from '@/lib/format'
import { useAction } from '../ui/actions/action'
import { saveDrafts, useDrafts, type Fate } from './draft-ledger'
import type { ReadProgress } from './follow-upload'
import type { QueuedFile } from './upload-queue'
import styles from './upload-status.module.css'

interface Props {
  readonly files: readonly QueuedFile[]
  readonly busy: boolean
  onCancel(): void
  onClose(): void
}

/**
 * The files that were sent: the progress of each; for a refused one, what happened, where, and what to do; and which of
 * those that were read are saved.
 */
export function UploadStatus({ files, busy, onCancel, onClose }: Props) {
  const drafts = useDrafts()
  const fateOf = ({ state }: QueuedFile) => (state.kind === 'done' ? drafts.get(state.url)?.fate : null) ?? 'open'
  const failed = files.some((file) => file.state.kind === 'failed')
  const open = files.flatMap((file) =>
    file.state.kind === 'done' && file.state.runCount > 0 && fateOf(file) === 'open' ? [file.state] : [],
  )
  return (
    <section className={`screen-only ${styles.panel}`} aria-label="Uploads" hidden={files.length === 0}>
      <p className="visually-hidden" aria-live="polite">
        {files
          .map((file) => announcement(file, fateOf(file)))
          .filter(Boolean)
          .join('. ')}
      </p>
      {files.length > 1 && (
        <h2 className="text-13 below-8">
          {plural(files.length, 'file')}
          {open.length > 0 && `, ${open.length} not saved yet`}
        </h2>
      )}
      <ul className="grid gap-8 below-12" role={failed ? 'alert' : undefined}>
        {files.map((file) => (
          <li key={file.id} className={styles.file}>
            <FileState file={file} fate={fateOf(file)} />
          </li>
        ))}
      </ul>
      {files.length > 0 && (
        <div className="flex wrap gap-8">
          {open.length > 1 && !busy && <SaveAll drafts={open} />}
          <button type="button" className="button" onClick={busy ? onCancel : onClose}>
            {busy ? 'Cancel' : 'Close'}
          </button>
        </div>
      )}
    </section>
  )
}

type Draft = Extract<QueuedFile['state'], { readonly kind: 'done' }>

/** Saves all drafts at once, the one being edited with its edits, then shows the runs. */
function SaveAll({ drafts }: { readonly drafts: readonly Draft[] }) {
  const router = useRouter()
  const here = usePathname()
  const { isBusy, problem, act } = useAction()
  const runCount = drafts.reduce((sum, draft) => sum + draft.runCount, 0)
  const save = async () => {
    const urls = drafts.map(({ url }) => url)
    const isDone = await act(() => saveDrafts(urls))
    if (isDone && urls.includes(here)) router.push(here.replace(/\/upload\/[^/]+$/, '/runs'))
  }
  return (
    <>
      {problem !== null && (
        <p className="notice notice-error full flush" role="alert">
          {problem}
        </p>
      )}
      <button type="button" className="button button-primary" disabled={isBusy} onClick={() => void save()}>
        {isBusy ? 'Saving …' : `Save all: ${plural(drafts.length, 'file')}, ${plural(runCount, 'run')}`}
      </button>
    </>
  )
}

/** Text for screen readers: changes of state, not every byte. */
function announcement({ name, state }: QueuedFile, fate: Fate): string {
  if (state.kind === 'sending') return `Uploading ${name}`
  if (state.kind === 'reading') return `Reading ${name}`
  if (state.kind !== 'done') return ''
  return fate === 'open' ? `${name} was read` : `${name} ${foundText(state.runCount, fate)}`
}

/** The contents of a read file, and their outcome. */
function foundText(runCount: number, fate: Fate): string {
  if (fate === 'saved') return 'is saved'
  if (fate === 'discarded') return 'was discarded'
  return runCount === 0 ? 'has no runs: see why' : `holds ${plural(runCount, 'run')}, not saved yet`
}

function FileState({ file, fate }: { readonly file: QueuedFile; readonly fate: Fate }) {
  const here = usePathname()
  const { name, sizeBytes, state } = file
  if (state.kind === 'waiting') return <p className="muted">{name} queued</p>
  if (state.kind === 'cancelled') return <p className="muted">{name} was not uploaded</p>
  if (state.kind === 'reading') return <Progress {...readingLabel(file, state.read)} />
  if (state.kind === 'sending') {
    const ratio = sizeBytes > 0 ? state.sentBytes / sizeBytes : 0
    const read = state.read && state.read.readBytes > 0 ? `, ${formatBytes(state.read.readBytes)} read` : ''
    return (
      <Progress label={`Uploading ${name}: ${wholePercent(ratio)} of ${formatBytes(sizeBytes)}${read}`} ratio={ratio} />
    )
  }
  if (state.kind === 'done') {
    return (
      <p>
        {fate === 'discarded' ? (
          name
        ) : (
          <Link href={state.url} aria-current={state.url === here ? 'page' : undefined}>
            {name}
          </Link>
        )}{' '}
        <span className="muted">{foundText(state.runCount, fate)}</span>
      </p>
    )
  }
  const { detail, hint, line, url } = state.problem
  return (
    <div className={styles.problem}>
      <p>
        <strong>{name}</strong>: {detail}
        {line !== null && ` (line ${line})`}
      </p>
      {hint && <p>{hint}</p>}
      {url && <Link href={url}>View the uploaded file</Link>}
    </div>
  )
}

/** The server's progress of reading; until it reports any, only that it reads. */
function readingLabel({ name, sizeBytes }: QueuedFile, read: ReadProgress | null): ProgressProps {
  if (read === null || sizeBytes === 0) return { label: `Reading ${name} …`, ratio: null }
  if (read.isStoring) return { label: `Storing what was read of ${name} …`, ratio: null }
  // A zip is read from both ends: its directory twice.
  const ratio = Math.min(1, read.readBytes / sizeBytes)
  return { label: `Reading ${name}: ${wholePercent(ratio)} of ${formatBytes(sizeBytes)}`, ratio }
}

const wholePercent = (ratio: number): string => formatPercent(Math.floor(ratio * 100) / 100)

interface ProgressProps {
  readonly label: string
  /** Null: in progress, how far is unknown. */
  readonly ratio: number | null
}

function Progress({ label, ratio }: ProgressProps) {
  return (
    <>
      <p>{label}</p>
      <progress
        className={`full ${styles.progress}`}
        aria-label={label}
        {...(ratio === null ? {} : { value: ratio })}
      />
    </>
  )
}
