import { InvalidInputError } from '../../lib/errors'
import type { CandidateRule } from '../../lib/project/candidate-rule'
import type { ControlRule } from '../../lib/project/control-rule'
import {
  ownSettings,
  type ProjectEdits,
  type ProjectSettings,
  type Retention,
} from '../../lib/project/project-settings'
import { readRepositoryUrl } from '../../lib/project/repository'
import { settingLimits } from '../../lib/project/setting-limits'
import type { Prisma } from '../generated/client'
import { checkedLabels, checkedName } from './limits'

/** Columns of a project's rules for new runs. */
export const runRulesSelect = {
  candidateLabel: true,
  candidateUnless: true,
  controlLabel: true,
  controlValue: true,
} as const satisfies Prisma.ProjectSelect

type RuleColumns = Prisma.ProjectGetPayload<{ select: typeof runRulesSelect }>

/** A project's rules for new runs; null: it has none. */
export interface RunRules {
  readonly candidateRule: CandidateRule | null
  readonly controlRule: ControlRule | null
}

export function toRunRules({ candidateLabel, candidateUnless, controlLabel, controlValue }: RuleColumns): RunRules {
  return {
    candidateRule:
      candidateLabel === null || candidateUnless === null ? null : { label: candidateLabel, isNot: candidateUnless },
    controlRule: controlLabel === null || controlValue === null ? null : { label: controlLabel, is: controlValue },
  }
}

/** A project's settings, without its retention. */
export function toOwnSettings(
  row: RuleColumns & { readonly name: string; readonly repositoryUrl: string | null; readonly judgedWindow: string },
): Omit<ProjectSettings, keyof Retention> {
  const { name, repositoryUrl } = row
  const judgedWindow = ownSettings.shape.judgedWindow.parse(row.judgedWindow)
  return { name, repositoryUrl, ...toRunRules(row), judgedWindow }
}

/** The columns that these changes set. Throws InvalidInputError. */
export function settingColumns({ name, repositoryUrl, candidateRule, controlRule, judgedWindow }: ProjectEdits) {
  return {
    ...(name === undefined ? {} : { name: checkedName('name', name) }),
    ...(repositoryUrl === undefined ? {} : { repositoryUrl: repositoryUrl && checkedRepository(repositoryUrl) }),
    ...(candidateRule === undefined ? {} : candidateColumns(candidateRule)),
    ...(controlRule === undefined ? {} : controlColumns(controlRule)),
    ...(judgedWindow === undefined ? {} : { judgedWindow }),
  }
}

function candidateColumns(rule: CandidateRule | null) {
  const [candidateLabel, candidateUnless] = rule === null ? [null, null] : asStored(rule.label, rule.isNot)
  return { candidateLabel, candidateUnless }
}

function controlColumns(rule: ControlRule | null) {
  const [controlLabel, controlValue] = rule === null ? [null, null] : asStored(rule.label, rule.is)
  return { controlLabel, controlValue }
}

/** In the form of stored labels, so that a rule finds them. */
const asStored = (label: string, value: string): readonly [string | null, string | null] =>
  Object.entries(checkedLabels({ [label]: value }))[0] ?? [null, null]

function checkedRepository(text: string): string {
  const url = readRepositoryUrl(text)
  if (url !== null) return url
  const hint = `Such as https://github.com/owner/name, at most ${settingLimits.repositoryUrl} characters, without user, query or fragment.`
  throw new InvalidInputError('This is not an https URL of a repository.', { field: 'repositoryUrl', hint })
}
