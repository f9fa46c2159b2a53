import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { ConflictError } from '@/lib/errors'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import type { Viewer } from '@/lib/viewer'
import { createProject, findProject, getProject, grant } from '@/prisma/queries/projects/projects'
import { markSampleDataLoaded, sampleDataWasLoaded } from '@/prisma/queries/installation/settings'
import { importUpload } from './uploads/import-upload'

const indexSchema = z.array(z.strictObject({ project: z.string(), name: z.string(), file: z.string() }))

/**
 * On the very first start: one project per sample document, through the same importers as any upload. A start that was
 * killed halfway continues with what is missing; once all exist, they are never loaded again, even if deleted.
 */
export async function loadSampleData(viewer: Viewer): Promise<void> {
  if (await sampleDataWasLoaded()) return
  const folder = path.join(process.cwd(), 'public', 'sample-data')
  const samples = indexSchema.parse(JSON.parse(await readFile(path.join(folder, 'index.json'), 'utf8')))
  for (const { project: slug, name, file } of samples) {
    const project = await grant(viewer, await makeProject(viewer, slug, name), 'upload')
    const request = { project, name: file, labels: {}, again: false, draft: false, keepSecrets: false, gate: false }
    const claims = { contentLength: null, sha256: null, isGzip: false }
    const outcome = await importUpload(request, createReadStream(path.join(folder, file)), claims)
    if ('error' in outcome) throw outcome.error
  }
  await markSampleDataLoaded()
}

/** Another instance may make it at the same moment: its uploads are then found as duplicates. */
async function makeProject(viewer: Viewer, slug: string, name: string): Promise<ProjectSummary> {
  const found = await findProject(viewer, slug)
  if (found !== null) return found
  try {
    return await createProject(viewer, { slug, name })
  } catch (error) {
    if (error instanceof ConflictError) return getProject(viewer, slug)
    throw error
  }
}
