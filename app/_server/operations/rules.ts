import * as rules from '@/prisma/queries/alerts/rules'
import { ruleSchema } from '../alerts/rule-schema'
import { ruleAnswer } from '../answers/alert-answers'
import { json, list, nothing, p } from './operation'
import { projectOperation } from './project-operation'

const saved = json('The rule.', ruleAnswer)

export const listRules = projectOperation(
  {
    at: `GET ${p}/rules`,
    summary: 'List rules',
    needs: 'read',
    answers: { 200: list('Rules.', 'rules', ruleAnswer) },
  },
  async ({ project }) => ({ rules: await rules.listRules(project) }),
)

export const createRule = projectOperation(
  {
    at: `POST ${p}/rules`,
    summary: 'Create a rule',
    needs: 'edit',
    audit: 'rule.create',
    body: ruleSchema,
    answers: { 201: saved },
  },
  async ({ project, body, note }) => {
    const made = await rules.saveRule(project, { ...body, ruleId: null }, new Date())
    note({ rule: made.id })
    return made
  },
)

export const replaceRule = projectOperation(
  {
    at: `PUT ${p}/rules/[rule]`,
    summary: 'Replace a rule',
    needs: 'edit',
    audit: 'rule.update',
    body: ruleSchema,
    answers: { 200: saved },
  },
  ({ project, params, body }) => rules.saveRule(project, { ...body, ruleId: params.rule }, new Date()),
)

export const deleteRule = projectOperation(
  { at: `DELETE ${p}/rules/[rule]`, summary: 'Delete a rule', needs: 'edit', audit: 'rule.delete', answers: nothing },
  ({ project, params }) => rules.deleteRule(project, params.rule, new Date()),
)
