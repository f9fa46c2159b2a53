'use client'

import { Fragment } from 'react'
import type { Metric } from '@/lib/run/metrics'
import { useJudged } from '../live/live-runs'
import { LabelChips } from '../ui/chip'
import { Link } from '../ui/links/link'
import { RunNameLink } from '../ui/links/run-name-link'
import { LimitChips } from '../ui/limit-chips'
import { StateMark } from '../ui/state-mark'
import { listHref } from './list-url'
import { CommitWords } from './commit/commit-words'
import { FoldLine, LevelHead } from './levels/level-head'
import type { ShownGroup } from './run-groups'
import { PastStrip } from './past-strip'
import styles from './runs-table.module.css'
import type { GroupedLines, ShownRun } from './shown-runs'

interface Props {
  readonly lines: readonly GroupedLines[]
  /** Path of the list and its current query string. */
  readonly path: string
  readonly query: string
  /** Of the strips. */
  readonly metric: Pick<Metric, 'shortLabel' | 'unit'>
  /** Name and unit of the first figure, when there are no columns. */
  readonly lead: { readonly name: string; readonly unit: string }
  /** Columns besides the figures. */
  readonly shown: Readonly<
    Record<'withCommits' | 'isByCommit' | 'withTime' | 'withEnvironment' | 'withStrips' | 'withLabels', boolean>
  >
}

/** Values that are the normal case. */
const quiet: ReadonlySet<string> = new Set(['0', '0 %', '0\u00a0%', '–'])

/** The lines of the history, drawn again in the browser: a page carries their words, not their elements twice. */
export function RunRows({ lines, ...list }: Props) {
  const params = new URLSearchParams(list.query)
  const labelHref = (key: string, value: string) => listHref(list.path, params, { label: `${key}=${value}` })
  return lines.map(({ head, runs, fold }) => (
    <tbody key={head?.key ?? 'all'}>
      {head === null ? null : 'detail' in head ? (
        <LevelHead level={head} />
      ) : (
        <GroupHead group={head} labelHref={labelHref} />
      )}
      {runs.map((row, at) => (
        <Fragment key={row.id}>
          {at === fold?.after && <FoldLine fold={fold} />}
          <RunLine {...list} row={row} labelHref={labelHref} />
        </Fragment>
      ))}
      {fold !== undefined && fold.after >= runs.length && <FoldLine fold={fold} />}
    </tbody>
  ))
}

interface LineProps extends Omit<Props, 'lines'> {
  readonly row: ShownRun
  readonly labelHref: (key: string, value: string) => string
}

function RunLine({ row, path, metric, lead, shown, labelHref }: LineProps) {
  return (
    <tr className={styles.run}>
      <td className={styles.box}>
        <label>
          <input type="checkbox" name="run" value={row.id} data-at={row.orderedAt} aria-label={`Select ${row.name}`} />
        </label>
      </td>
      <td className={styles.mark}>
        <LiveMark row={row} />
      </td>
      <th scope="row" className={styles.who} title={row.time}>
        {shown.isByCommit && row.commit !== undefined ? (
          <>
            <span className="wide-only">
              <RunNameLink href={`${path}/${row.id}`} run={row} />
            </span>
            <Link href={`${path}/${row.id}`} className={`text ${styles.byCommit}`}>
              <span className="mono">{row.commit.text}</span> {row.commit.subject}
            </Link>
          </>
        ) : (
          <RunNameLink href={`${path}/${row.id}`} run={row} />
        )}{' '}
        <RunNotes row={row} />
        <Brief row={row} withAge={shown.withTime} withCommit={!shown.isByCommit} />
      </th>
      {shown.withTime && (
        <td className="nowrap">
          <time className="nowrap" dateTime={row.orderedAt} title={row.time}>
            {row.ago}
          </time>
        </td>
      )}
      {shown.withCommits && (
        <td className={styles.commit}>
          {row.commit && (
            <span className="row wrap">
              <CommitWords commit={row.commit} />
              {row.isFirstInLevel && <FirstChip />}
            </span>
          )}
        </td>
      )}
      {shown.withEnvironment && (
        <td className={`break ${styles.where}`} title={row.environment ?? undefined}>
          {row.environment ?? <span className="muted">–</span>}
        </td>
      )}
      {shown.withStrips && (
        <td className={styles.strip}>
          {row.past === undefined ? (
            <span className="muted">first run</span>
          ) : (
            <PastStrip past={row.past} state={row.judged?.state ?? null} metric={metric} />
          )}
        </td>
      )}
      <FigureCells cells={row.cells} lead={lead} />
      <td className="muted">{row.tool}</td>
      {shown.withLabels && (
        <td className={styles.labels}>
          <LabelChips labels={row.labels} folded={row.folded} hrefOf={labelHref} />
        </td>
      )}
    </tr>
  )
}

function LiveMark({ row: { id, judged, isInLevel } }: { readonly row: ShownRun }) {
  const since = useJudged(id)
  return <StateMark judged={judged ?? since ?? null} {...(isInLevel ? {} : { runId: id })} isSmall />
}

function FigureCells({ cells, lead }: Pick<ShownRun, 'cells'> & Pick<Props, 'lead'>) {
  return cells.map(({ text, title, spread, tone, isFew }, at) => (
    <td key={at} className="num" title={title} data-tone={tone} data-lead={at === 0 ? '' : undefined}>
      {quiet.has(text) ? <span className="muted">{text}</span> : isFew ? <span data-few>{text}</span> : text}
      {at === 0 && (
        <>
          <span className={styles.unit}> {lead.unit}</span>
          <span className={styles.metric}>{lead.name}</span>
        </>
      )}
      {spread !== undefined && <small className="block muted nowrap wide-only">{spread}</small>}
    </td>
  ))
}

function RunNotes({ row }: { readonly row: ShownRun }) {
  const { id, missed = [], repeats, isCandidate, isTruncated, isFirstInLevel } = row
  return (
    <>
      {isFirstInLevel && (
        <span className={styles.narrow}>
          <FirstChip />
        </span>
      )}
      {missed.length > 0 && (
        <span className={styles.missed}>
          <LimitChips limits={missed} runId={id} />
        </span>
      )}
      {repeats && (
        <Link href={repeats.href} className={`chip ${styles.note}`} title={repeats.title}>
          {repeats.count} runs
        </Link>
      )}
      {isCandidate && (
        <span className={`chip ${styles.note}`} title="Judged against its series, and never part of it">
          candidate
        </span>
      )}
      {isTruncated && (
        <span
          className={`chip ${styles.note} worse ${styles.truncated}`}
          title="Truncated output: these are the figures that could be read"
        >
          truncated
        </span>
      )}
    </>
  )
}

const FirstChip = () => <span className={`chip rigid ${styles.note}`}>first run with it</span>

interface BriefProps {
  readonly row: ShownRun
  readonly withAge: boolean
  /** The line above does not name it. */
  readonly withCommit: boolean
}

/** On a phone: the commit, the served and the failed requests. */
function Brief({ row: { brief, ago, commit }, withAge, withCommit }: BriefProps) {
  return (
    <small className={styles.brief}>
      {withCommit && commit && (
        <span>
          <span className="mono">{commit.text}</span> {commit.subject}
        </span>
      )}
      {brief.map(({ text, unit, tone }) => (
        <span key={unit} data-tone={tone}>
          {text}
          {unit}
        </span>
      ))}
      {withAge && <span>{ago}</span>}
    </small>
  )
}

interface GroupHeadProps {
  readonly group: ShownGroup
  readonly labelHref: (key: string, value: string) => string
}

function GroupHead({ group, labelHref }: GroupHeadProps) {
  const { when, time, at, commit, upload, facts, labels, judged, isUrgent } = group
  return (
    <tr className={styles.group}>
      <td className={styles.box}>
        <label>
          <input
            type="checkbox"
            data-group=""
            aria-label={`Select the runs of ${commit?.text ?? upload?.name ?? when}`}
          />
        </label>
      </td>
      <td className={styles.mark}>
        <StateMark judged={judged} isSmall />
      </td>
      <th scope="rowgroup" colSpan={40}>
        <span className={`flex wrap baseline ${styles.head}`}>
          <time className="bold" dateTime={at} title={time}>
            {when}
          </time>
          {commit === null ? null : <CommitWords commit={commit} />}
          {upload === null ? null : <Link href={upload.href}>{upload.name}</Link>}
          <span className="muted">
            {facts}
            {judged === null ? null : <span data-tone={isUrgent ? judged.state : undefined}> · {judged.sentence}</span>}
          </span>
          <LabelChips {...labels} hrefOf={labelHref} />
        </span>
      </th>
    </tr>
  )
}
