import { base, head } from '../experiment/round'
import { countedRounds, type ExperimentProgress, type SeenRound } from '../experiment/stored-experiment'
import { columnUnit, formatChange, formatInColumn, missing } from '../format'
import { figureFact, type Fact } from '../run/fact'

/** A round as texts. */
export interface RoundRow {
  readonly round: number
  readonly order: string
  readonly isVoid: boolean
  /** By arm, in the order of the plan. */
  readonly cells: readonly {
    readonly text: string
    readonly runId: string | null
    /** Null: its run says nothing that counts. */
    readonly fact: Fact | null
  }[]
  /** Head against base. */
  readonly change: string
  readonly note: string
}

/** Rounds of an experiment, newest first, and the heads of the columns of its arms. */
export function roundRows({ rounds, plan, metric }: ExperimentProgress): {
  readonly heads: readonly string[]
  readonly rows: readonly RoundRow[]
} {
  const unit = columnUnit(
    metric.unit,
    rounds.flatMap(({ values }) => Object.values(values)),
  )
  const words = unit.label === '' || unit.label === '/s' ? '' : `, ${unit.label}`
  const counted = countedRounds({ rounds, plan })
  const rows = rounds.map((round): RoundRow => {
    const cells = plan.arms.map((arm) => {
      const [runId = null, value = null] = [round.runIds[arm], round.values[arm]]
      const text = formatInColumn(value, metric.unit, unit)
      const fact = runId === null || value === null ? null : figureFact(runId, metric, value)
      return { text: fact === null && runId !== null ? 'run' : text, runId, fact }
    })
    return {
      ...{ round: round.round, order: round.order.join(', '), isVoid: round.voidReason !== null, cells },
      ...{ change: changeOf(round), note: noteOf(round, counted.indexOf(round) + 1) },
    }
  })
  return { heads: plan.arms.map((arm) => `${arm}${words}`), rows: rows.toReversed() }
}

function changeOf({ values, voidReason }: SeenRound): string {
  const [from, to] = [values[base], values[head]]
  return voidReason !== null || from === undefined || to === undefined ? missing : formatChange(to / from - 1)
}

/** `counted`: its place among the rounds that count, from 1; 0: it is none of them. */
function noteOf({ round, voidReason }: SeenRound, counted: number): string {
  if (voidReason !== null) return `void: ${voidReason}`
  return counted === 0 ? 'open' : counted === round ? '' : `counts as round ${counted}`
}
