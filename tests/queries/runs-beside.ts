import type { RunRow } from '@/lib/history/stored-runs'
import { getRun } from '@/prisma/queries/runs/runs'
import { findRunsBeside, type RunsBeside } from '@/prisma/queries/runs/runs-beside'
import { toRead } from './samples'

/** What is beside a run as it is stored now. */
export async function runsBeside({ id, projectId }: Pick<RunRow, 'id' | 'projectId'>): Promise<RunsBeside> {
  const project = await toRead(projectId)
  return findRunsBeside(project, await getRun(project, id))
}
