import { SideKey } from '@/components/charts/plot/legend'
import { seriesStyle } from '@/components/charts/plot/scale'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { Icon } from '@/components/ui/icon'
import { formatBytes, formatDuration, plural } from '@/lib/format'
import type { StoredRun } from '@/lib/history/stored-runs'
import { keyOf } from './arrange'
import type { ViewedFile } from './read-files'
import styles from './viewer.module.css'

interface Props {
  readonly prepared: PreparedComparison
  readonly files: readonly ViewedFile[]
  readonly onName: (side: readonly StoredRun[], name: string) => void
  /** Null: their order is given. */
  readonly onSwap: (() => void) | null
}

/** The compared sides with their line in every chart; their names can be edited. */
export function SideNames({ prepared: { sides, names }, files, onName, onSwap }: Props) {
  const read = files.flatMap(({ state, bytes }) =>
    state.kind === 'read' ? [{ sizeBytes: bytes?.size ?? 0, ...state }] : [],
  )
  const sum = (of: (one: (typeof read)[number]) => number) => read.reduce((all, one) => all + of(one), 0)
  const runs = sides.reduce((all, side) => all + side.length, 0)
  return (
    <div className={`row wrap gap-8 ${styles.sides}`}>
      <ol className="row wrap gap-8 slim" aria-label="Sides">
        {sides.map((side, at) => (
          <li key={keyOf(side)} className="row wrap gap-8 slim">
            {at === 1 && sides.length === 2 && onSwap !== null && (
              <button type="button" className="button button-icon" aria-label="Swap sides" onClick={onSwap}>
                <Icon name="swap" />
              </button>
            )}
            <span className={`outlined inline-row gap-8 text-13 slim ${styles.side}`}>
              {sides.length > 1 && <SideKey style={seriesStyle(at)} />}
              <input
                className={`bold ${styles.name}`}
                aria-label={`Name of side ${at + 1}`}
                defaultValue={names[at]}
                key={names[at]}
                size={Math.min(40, Math.max(6, (names[at] ?? '').length))}
                onBlur={({ target }) => target.value !== names[at] && onName(side, target.value)}
                onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
              />
              {side.length > 1 && <span className="muted">{plural(side.length, 'run')}</span>}
              {at === 0 && sides.length > 1 && <span className="tag text-12">base</span>}
            </span>
          </li>
        ))}
      </ol>
      <span className="muted text-13 push">
        {read.length === 0
          ? `${plural(runs, 'run')} from a link`
          : [
              plural(read.length, 'file'),
              formatBytes(sum((one) => one.sizeBytes)),
              `read in ${formatDuration(sum((one) => one.tookMs))}`,
            ].join(' · ')}
      </span>
    </div>
  )
}
