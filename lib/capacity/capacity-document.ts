import type { CapacityAnswer } from './answer'
import { valueOf, type CapacityRun } from './capacity-run'
import { holdAgainst, type Objective } from './objective'
import type { Estimate, ScalabilityLaw } from './scalability-law'

/** Answers and each run against its objectives, as a JSON document has them. Rates per second; null: not known. */
export function capacityDocument(
  runs: readonly CapacityRun[],
  objectives: readonly Objective[],
  answers: readonly CapacityAnswer[],
) {
  return {
    groups: answers.map(groupDocument),
    runs: runs.map((run) => ({
      id: run.id,
      objectives: objectives.map((objective) => holdAgainst(objective, valueOf(run, objective))),
    })),
  }
}

function groupDocument(answer: CapacityAnswer) {
  const { runs, kind, refusal, capacityPerSecond, lowPerSecond, highPerSecond, isOpen, next, law } = answer
  const { lowConnections, highConnections, limitedBy, warnings, forTarget } = answer
  return {
    ...{ runs: runs.map(({ id }) => id).sort(), kind, reason: refusal?.reason ?? null },
    ...{ capacityPerS: capacityPerSecond, lowPerS: lowPerSecond, highPerS: highPerSecond },
    ...{ lowConnections, highConnections, limitedBy },
    next: next === null ? null : { [isOpen ? 'ratePerS' : 'connections']: next.load, runs: next.runs },
    usl: law === null ? null : lawDocument(law),
    warnings,
    ...(forTarget === null ? {} : { forTarget: targetDocument(forTarget) }),
  }
}

const targetDocument = ({
  targetPerSecond,
  headroomRatio,
  ...instances
}: NonNullable<CapacityAnswer['forTarget']>) => ({
  ...{ targetPerS: targetPerSecond, headroom: headroomRatio, ...instances },
})

const lawDocument = ({ perSecond, sigma, kappa, peak, dashedFrom }: ScalabilityLaw) => ({
  ...{ ...ranged('perS', perSecond), ...ranged('sigma', sigma), ...ranged('kappa', kappa), ...ranged('peak', peak) },
  dashedFrom,
})

const ranged = (name: string, estimate: Estimate | null) => ({
  [name]: estimate?.value ?? null,
  [`${name}Low`]: estimate?.low ?? null,
  [`${name}High`]: estimate?.high ?? null,
})
