import { createHash, randomUUID } from 'node:crypto'
import { blankRun } from '@/importers/blank-run'
import type { ImportedFile, ImportedRun, Latency, Proposal } from '@/lib/run/run'
import type { ProjectSummary } from '@/lib/project/stored-projects'
import { localViewer } from '@/lib/viewer'
import { createProject, grant, type Granted } from '@/prisma/queries/projects/projects'
import type { ImportInput } from '@/prisma/queries/uploads/uploads'

const noProposal: Proposal = {
  scenario: null,
  variant: null,
  environment: null,
  environmentAttributes: {},
  labels: {},
  sources: {},
}

export interface SampleRun extends Partial<Omit<ImportedRun, 'proposal'>> {
  readonly proposal?: Partial<Proposal>
}

/** An empty run with only the passed fields. */
export function sampleRun({ proposal, ...fields }: SampleRun = {}): ImportedRun {
  return {
    ...blankRun('hey', 'hey-text'),
    context: { headings: [], lines: [1, 9], facts: [], notes: [] },
    ...fields,
    proposal: { ...noProposal, ...proposal },
  }
}

/** A distribution of all responses with a median and p99. */
export function sampleLatency(fields: Partial<Latency> = {}): Latency {
  return {
    of: 'all',
    count: 100,
    minMs: 1,
    meanMs: 2.5,
    stdDevMs: null,
    maxMs: 99.9,
    withinOneStdDevRatio: null,
    quantiles: [
      { q: 0.5, ms: 2.25 },
      { q: 0.99, ms: 80.125 },
    ],
    histogram: null,
    origin: 'summary',
    method: 'hey-rank',
    ...fields,
  }
}

/** A file of these runs. */
export function sampleFile(runs: readonly ImportedRun[], fields: Partial<ImportedFile> = {}): ImportedFile {
  return { encoding: 'utf-8', lineCount: 40, runs, problems: [], cellNotes: [], ...fields }
}

/** An upload of new bytes, unless `fields` says otherwise. */
export function sampleImport(projectId: string, file: ImportedFile, fields: Partial<ImportInput> = {}): ImportInput {
  const sha256 = createHash('sha256').update(randomUUID()).digest('hex')
  return {
    projectId,
    name: 'bench.txt',
    sizeBytes: 1234,
    kind: 'text',
    sentSha256: sha256,
    storedSha256: sha256,
    file,
    ...fields,
  }
}

/** A new project with a unique name. */
export function sampleProject(): Promise<ProjectSummary> {
  const slug = `project-${randomUUID()}`
  return createProject(localViewer, { slug, name: slug })
}

/** The local viewer's right to read a project. */
export const toRead = (projectId: string): Promise<Granted<'read'>> => grant(localViewer, { id: projectId }, 'read')

/** The local viewer's right to change a project. */
export const toEdit = (projectId: string): Promise<Granted<'edit'>> => grant(localViewer, { id: projectId }, 'edit')
