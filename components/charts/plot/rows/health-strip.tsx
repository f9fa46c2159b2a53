import { formatDay, plural } from '@/lib/format'
import { statesByUrgency, stateWords, urgentStates, type JudgedState } from '@/lib/run/judged-states'
import type { NewsUpload } from '@/lib/project/project-news'
import { stateShapes } from '../../../ui/icon'
import styles from './health-strip.module.css'

/** Uploads that a strip shows. */
const shownUploads = 30
/** Width of a quiet mark and of one that has a shape of its own, each with its gap: px. */
const pitch = { quiet: 9, loud: 12 }
const height = 12

interface Mark extends NewsUpload {
  /** Its left edge: px. */
  readonly x: number
  readonly isLoud: boolean
}

/**
 * The last uploads of a project, newest right. A home page has hundreds: all quiet marks are one line of dots, and only
 * the others have a shape and a title of their own.
 */
export function HealthStrip({ uploads }: { readonly uploads: readonly NewsUpload[] }) {
  const shown = uploads.slice(0, shownUploads).toReversed()
  const marks = placed(shown)
  const last = marks.at(-1)
  const width = last === undefined ? 0 : last.x + pitchOf(last)
  return (
    <svg className={styles.strip} width={width} height={height} role="img" aria-label={wordsOf(shown)}>
      <path className={styles.expected} d={dots(marks)} />
      <path className={styles.ring} d={rings(marks)} />
      <path className={styles.pending} d={dashes(marks)} />
      {marks
        .filter(({ isLoud }) => isLoud)
        .map((mark, at) => (
          <path
            key={at}
            data-state={mark.state}
            transform={`translate(${mark.x})`}
            d={mark.state === null ? '' : stateShapes[mark.state]}
          >
            <title>{`${mark.uploadName}, ${formatDay(mark.at)}: ${plural(mark.runs, 'run')}`}</title>
          </path>
        ))}
    </svg>
  )
}

const isLoud = (state: JudgedState | null): boolean =>
  state === 'better' || urgentStates.some((urgent) => urgent === state)

const pitchOf = ({ isLoud }: Pick<Mark, 'isLoud'>): number => (isLoud ? pitch.loud : pitch.quiet)

function placed(uploads: readonly NewsUpload[]): readonly Mark[] {
  let x = 0
  return uploads.map((upload) => {
    const mark = { ...upload, x, isLoud: isLoud(upload.state) }
    x += pitchOf(mark)
    return mark
  })
}

/** A line of no length with round ends is a dot. */
const dots = (marks: readonly Mark[]): string =>
  marks.map((mark) => (mark.state === 'as-expected' ? `M${mark.x + 4} ${height / 2}h0` : '')).join('')

const rings = (marks: readonly Mark[]): string =>
  marks
    .map((mark) => (mark.state === 'no-history' ? `M${mark.x + 6} ${height / 2}a2 2 0 1 1-4 0 2 2 0 1 1 4 0` : ''))
    .join('')

/** Of uploads that are not judged yet. */
const dashes = (marks: readonly Mark[]): string =>
  marks.map((mark) => (mark.state === null ? `M${mark.x + 2} ${height / 2}h4` : '')).join('')

/** `The last 30 uploads: 1 worse, 28 as expected, 1 not judged yet`. */
function wordsOf(uploads: readonly NewsUpload[]): string {
  const counts = [...statesByUrgency, null].flatMap((state) => {
    const count = uploads.filter((upload) => upload.state === state).length
    return count === 0 ? [] : [`${count} ${state === null ? 'not judged yet' : stateWords[state].toLowerCase()}`]
  })
  return `The last ${plural(uploads.length, 'upload')}: ${counts.join(', ')}`
}
