import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { isWord, markableParts, markParts, partKinds, readPattern, type NamePart } from './name-pattern'
import styles from './many.module.css'

interface Props {
  /** The name that is marked. */
  readonly example: string
  readonly pattern: string
  /** How many of all names fit. */
  readonly fits: number
  readonly of: number
  onChange(pattern: string): void
}

const keys: Readonly<Record<string, string | null>> = {
  v: 'variant',
  s: 'scenario',
  e: 'environment',
  d: 'date',
  '0': null,
}

/**
 * One file's name, whose parts are marked once for all: by a click or by dragging over some, by a letter on a part that
 * has the focus, or as text.
 */
export function PatternPanel({ example, pattern, fits, of, onChange }: Props) {
  const id = useId()
  const read = readPattern(pattern)
  const parts = markableParts(read, example)
  return (
    <section className={`grid gap-8 ${styles.pattern}`} aria-labelledby={`${id}-title`}>
      <div className={`row wrap text-13 ${styles.head}`}>
        <h2 id={`${id}-title`} className="text-13">
          Names from file names
        </h2>
        <span className="muted">mark a part of one name: all names follow</span>
        <span className="muted push" role="status">
          {pattern === '' ? 'No pattern' : `fits ${fits} of ${of}`}
        </span>
      </div>
      <MarkedName parts={parts} onMark={(from, to, field) => onChange(markParts(parts, from, to, field))} />
      <label className="row wrap gap-8 text-13">
        Pattern
        <input
          className={`input mono ${styles.input}`}
          value={pattern}
          placeholder="{scenario}-{variant}_{date}.txt"
          spellCheck={false}
          autoComplete="off"
          maxLength={300}
          aria-invalid={read === null || undefined}
          aria-describedby={read === null ? `${id}-problem` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      {read === null && (
        <p id={`${id}-problem`} className="worse text-13 flush" role="alert">
          Each part is a name in braces, stands once, and has a character between it and the next.
        </p>
      )}
    </section>
  )
}

interface MarkedProps {
  readonly parts: readonly NamePart[]
  onMark(from: number, to: number, field: string | null): void
}

interface Range {
  readonly from: number
  readonly to: number
}

function MarkedName({ parts, onMark }: MarkedProps) {
  const [range, setRange] = useState<Range | null>(null)
  const mark = (field: string | null) => {
    if (range === null) return
    onMark(range.from, range.to, field)
    setRange(null)
  }
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const own = range ?? { from: at, to: at }
    const field = keys[event.key.toLowerCase()]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (field !== undefined) {
      onMark(own.from, own.to, field)
      setRange(null)
    } else if (event.shiftKey && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const to = nextWord(parts, own.to, event.key === 'ArrowRight' ? 1 : -1)
      setRange({ from: own.from, to })
    } else if (event.key === 'Escape' && range !== null) setRange(null)
    else return
    event.preventDefault()
  }
  // With a finger, events of a drag go to the part that it began on.
  const onPointerMove = ({ clientX, clientY, buttons }: PointerEvent) => {
    if (buttons === 0 || range === null) return
    const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-at]')?.dataset.at
    if (under !== undefined && Number(under) !== range.to) setRange({ from: range.from, to: Number(under) })
  }
  const [first, last] = range === null ? [1, 0] : [Math.min(range.from, range.to), Math.max(range.from, range.to)]
  return (
    <div className="grid gap-8">
      <div className={`flex wrap mono ${styles.name}`} onPointerMove={onPointerMove}>
        {parts.map((part, at) =>
          isWord(part) ? (
            <button
              key={at}
              type="button"
              data-at={at}
              data-field={part.field ?? undefined}
              data-chosen={at >= first && at <= last ? '' : undefined}
              className={styles.part}
              aria-expanded={at >= first && at <= last}
              aria-label={`${part.text}, ${part.field ?? 'nothing'}`}
              onPointerDown={() => setRange({ from: at, to: at })}
              onClick={({ detail }) => detail === 0 && setRange({ from: at, to: at })}
              onKeyDown={(event) => onKeyDown(event, at)}
            >
              <span className={styles.word}>{part.text}</span>
              <small>{part.field ?? '\u00a0'}</small>
            </button>
          ) : (
            <span
              key={at}
              data-at={at}
              data-chosen={at >= first && at <= last ? '' : undefined}
              className={styles.between}
            >
              {part.text}
            </span>
          ),
        )}
      </div>
      {range === null ? null : <Kinds onMark={mark} />}
    </div>
  )
}

/** The place of the next word in a direction; the same one if there is none. */
function nextWord(parts: readonly NamePart[], at: number, step: 1 | -1): number {
  for (let next = at + step; next >= 0 && next < parts.length; next += step) {
    const part = parts[next]
    if (part !== undefined && isWord(part)) return next
  }
  return at
}

/** What the chosen parts are. */
function Kinds({ onMark }: { onMark(field: string | null): void }) {
  const [label, setLabel] = useState<string | null>(null)
  return (
    <div className={`row wrap gap-4 ${styles.kinds}`} role="group" aria-label="What this part is">
      {partKinds.map((kind) => (
        <button key={kind} type="button" className="button" onClick={() => onMark(kind)}>
          {kind.charAt(0).toUpperCase() + kind.slice(1)} <kbd aria-hidden="true">{kind.charAt(0).toUpperCase()}</kbd>
        </button>
      ))}
      {label === null ? (
        <button type="button" className="button" onClick={() => setLabel('')}>
          Label…
        </button>
      ) : (
        <input
          className={`input ${styles.label}`}
          aria-label="Name of the label"
          placeholder="commit"
          maxLength={60}
          autoFocus
          value={label}
          onChange={(event) => setLabel(event.target.value.replaceAll(/[{}]/g, ''))}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && label.trim() !== '') onMark(label.trim())
          }}
        />
      )}
      <button type="button" className="button" onClick={() => onMark(null)}>
        Nothing <kbd aria-hidden="true">0</kbd>
      </button>
    </div>
  )
}
