import { isBuiltIn, type Rule } from '../../lib/rules/rules'
import { ruleSelect, toRule } from '../rows/rule-rows'
import type { Db } from './access'

/** The rules of a project, the built-in one first, then in order of creation. */
export async function readRules(db: Db, projectId: string): Promise<readonly Rule[]> {
  const found = await db.rule.findMany({
    where: { projectId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: ruleSelect,
  })
  return found.map(toRule).sort((a, b) => Number(isBuiltIn(b, projectId)) - Number(isBuiltIn(a, projectId)))
}
