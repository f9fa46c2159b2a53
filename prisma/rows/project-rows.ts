import { InvalidInputError } from '../../lib/errors'
import type { CandidateRule } from '../../lib/project/candidate-rule'
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

/** Columns of a project's rule for candidates. */
export const candidateRuleSelect = {
  candidateLabel: true,
  candidateUnless: true,
} as const satisfies Prisma.ProjectSelect

type RuleColumns = Prisma.ProjectGetPayload<{ select: typeof candidateRuleSelect }>

/** A project's rule for candidates; null: it has none. */
export function toCandidateRule({ candidateLabel: label, candidateUnless: isNot }: RuleColumns): CandidateRule | null {
  return label === null || isNot === null ? null : { label, isNot }
}

/** A project's settings, without its retention. */
export function toOwnSettings(
  row: RuleColumns & { readonly name: string; readonly repositoryUrl: string | null; readonly judgedWindow: string },
): Omit<ProjectSettings, keyof Retention> {
  const { name, repositoryUrl } = row
  const judgedWindow = ownSettings.shape.judgedWindow.parse(row.judgedWindow)
  return { name, repositoryUrl, candidateRule: toCandidateRule(row), judgedWindow }
}

/** The columns that these changes set. Throws InvalidInputError. */
export function settingColumns({ name, repositoryUrl, candidateRule, judgedWindow }: ProjectEdits) {
  return {
    ...(name === undefined ? {} : { name: checkedName('name', name) }),
    ...(repositoryUrl === undefined ? {} : { repositoryUrl: repositoryUrl && checkedRepository(repositoryUrl) }),
    ...(candidateRule === undefined ? {} : ruleColumns(candidateRule)),
    ...(judgedWindow === undefined ? {} : { judgedWindow }),
  }
}

/** In the form of stored labels, so that the rule finds them. */
function ruleColumns(rule: CandidateRule | null): RuleColumns {
  const [[label, isNot] = [null, null]] =
    rule === null ? [] : Object.entries(checkedLabels({ [rule.label]: rule.isNot }))
  return { candidateLabel: label, candidateUnless: isNot }
}

function checkedRepository(text: string): string {
  const url = readRepositoryUrl(text)
  if (url !== null) return url
  const hint = `Such as https://github.com/owner/name, at most ${settingLimits.repositoryUrl} characters, without user, query or fragment.`
  throw new InvalidInputError('This is not an https URL of a repository.', { field: 'repositoryUrl', hint })
}
