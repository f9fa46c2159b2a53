import type { StoredRun } from '@/lib/history/stored-runs'
import { CopyButton } from '../ui/actions/copy-button'
import type { HeldLimit } from '@/lib/rules/limits'
import { headlineFact } from '@/lib/run/fact'
import { standingOf } from '@/lib/run/standing'
import { Fact } from '../facts/fact'
import { Link } from '../ui/links/link'
import { LimitChips } from '../ui/limit-chips'
import { StandingMarks } from '../ui/standing-marks'
import type { JudgedRun } from './judged-run'
import styles from './comparison-view.module.css'

interface Props {
  readonly judged: JudgedRun
  readonly limits: readonly HeldLimit[]
  readonly sentence: string
  readonly caution: string
  /** What its difference from the level stands with; null: its rows are not known. */
  readonly whyOf: string | null
}

/** The judgement of a run against earlier ones: state and sentence as on its own page, and links to more. */
export function JudgedRunHead({ judged: { run, change, levels }, limits, sentence, caution, whyOf }: Props) {
  const { state } = run.judgement
  return (
    <section aria-label="Judgement">
      <p className="flex wrap gap-8 below-4">
        <StandingMarks judged={{ state, sentence }} standing={standingOf(run.judgement)} runId={run.id} />
        <LimitChips limits={limits} runId={run.id} />
      </p>
      <Fact
        of={headlineFact('run', run.id, sentence)}
        part="sentence"
        as="h1"
        className={`headline ${styles.sentence}`}
      />
      <p className="muted caution">{caution}.</p>
      <div className={`flex wrap gap-8 ${styles.acts}`}>
        {levels !== null && (
          <Link className="button button-primary" href={levels.href} data-command={levels.words}>
            {levels.words}
          </Link>
        )}
        {whyOf !== null && (
          <Link className="button" href={whyOf}>
            What the difference stands with
          </Link>
        )}
        <Link className="button" href={`/p/${run.projectSlug}/runs/${run.id}`}>
          Open run
        </Link>
        {change?.alertId != null && (
          <Link className="button" href={`/p/${run.projectSlug}/alerts/${change.alertId}`}>
            Open alert
          </Link>
        )}
        <RepeatCommand run={run} />
      </div>
    </section>
  )
}

function RepeatCommand({ run: { imported } }: { readonly run: StoredRun }) {
  if (imported.command === null) return null
  return (
    <CopyButton
      text={imported.command}
      label="Copy command to repeat"
      command="Copy the command that repeats this run"
    />
  )
}
