import { instrumentOf, type Instrument } from '@/lib/instrument/instrument'
import { whatMatters } from '@/lib/rules/what-matters'
import { listRules } from '@/prisma/queries/alerts/rules'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listInstrumentRuns } from '@/prisma/queries/series/instrument'

/** What an environment shows, with what matters in its project. One without runs shows nothing. */
export async function environmentInstrument(project: Granted<'read'>, environment: string): Promise<Instrument> {
  const rules = await listRules(project)
  const runs = await listInstrumentRuns(project, environment)
  return instrumentOf(runs, (metricId) => whatMatters(rules, metricId))
}
