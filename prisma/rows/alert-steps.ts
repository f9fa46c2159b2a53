import type { Prisma } from '../generated/client'
import type { Db } from './access'
import { newId } from './ids'

/** Writes what happened to an alert. */
export async function addStep(db: Db, step: Omit<Prisma.AlertStepUncheckedCreateInput, 'id'>): Promise<void> {
  await db.alertStep.create({ data: { id: newId(), ...step } })
}
