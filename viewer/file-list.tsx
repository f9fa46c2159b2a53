import { Icon } from '@/components/ui/icon'
import { errorLine, errorSentence } from '@/lib/error-words'
import { formatBytes, formatPercent } from '@/lib/format'
import type { ViewedFile } from './read-files'
import styles from './viewer.module.css'

interface Props {
  readonly files: readonly ViewedFile[]
  readonly onRemove: (id: number) => void
}

/** Files that are being read, that could not be, or of which something was lost; of the others only their sides show. */
export function FileList({ files, onRemove }: Props) {
  const shown = withoutOthers(files).filter(({ state }) => state.kind !== 'read' || problemsOf(state).length > 0)
  if (shown.length === 0) return null
  return (
    <ul className={`grid gap-8 below-12 ${styles.files}`} aria-label="Files" aria-live="polite">
      {shown.map((one) => (
        <li key={one.id} className={`outlined ${styles.file}`}>
          <strong className="break">{one.name}</strong>
          <State file={one} />
          {one.state.kind !== 'reading' && (
            <button
              type="button"
              className="button button-icon"
              aria-label={`Remove ${one.name}`}
              onClick={() => onRemove(one.id)}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Without files of a dropped folder that hold no results; a folder of nothing else is named once. */
function withoutOthers(files: readonly ViewedFile[]): readonly ViewedFile[] {
  const isNone = ({ folder, state }: ViewedFile) => folder !== null && state.kind === 'failed' && state.isNoResult
  const found = new Set(files.filter((one) => !isNone(one)).map(({ folder }) => folder))
  const named = new Set<string | null>()
  return files.flatMap((one) => {
    if (!isNone(one)) return one
    const { folder } = one
    if (found.has(folder) || named.has(folder)) return []
    named.add(folder)
    const sentence = 'There is no result in the folder.'
    return { ...one, name: folder ?? '', state: { kind: 'failed' as const, sentence, isNoResult: true } }
  })
}

function State({ file: { state, bytes } }: { readonly file: ViewedFile }) {
  if (state.kind === 'failed') return <span className="break">{state.sentence}</span>
  if (state.kind === 'read') return <span className="muted break">{problemsOf(state).join(' ')}</span>
  return (
    <span className="muted">
      {state.readBytes === 0
        ? 'Reading'
        : `${formatPercent(state.readBytes / (bytes?.size ?? 1))} of ${formatBytes(bytes?.size ?? 0)} read`}
    </span>
  )
}

function problemsOf({ file }: Extract<ViewedFile['state'], { kind: 'read' }>): readonly string[] {
  const lost = file.problems.filter(({ severity }) => severity === 'error').map(sentenceOf)
  return file.runs.length === 0 ? ['There is no run in it.', ...lost] : lost
}

const sentenceOf = ({ message, line }: { readonly message: string; readonly line: number | null }): string =>
  errorLine(errorSentence(message), { line }, [])
