import { headBytes, proposeFor } from '@/importers/index'
import type { Bytes } from '@/importers/importer'
import { ImportError } from '@/lib/errors'
import type { MappingProposal } from '@/lib/run/column-mapping'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import type { ArchiveEntry } from '@/importers/carriers/archive-entry'
import { openUpload } from '@/importers/carriers/open-upload'
import { nodeUnpacker } from '../archive/node-unpacker'
import { collectBytes } from './read-raw-ends'
import { rawStore } from '../store/process-store'
import { hasRaw } from './require-raw'

/**
 * How a draft may be read as samples: one in which nothing was found, or, differently, one that was read by a mapping;
 * of an archive, its first file counts. Null: it is no table of numbers, or its bytes were deleted.
 */
export async function proposeDraftMapping(upload: UploadDetail): Promise<MappingProposal | null> {
  const { state, mapping, draftRuns, problems, storedSha256 } = upload
  // A problem with a line number means that the file was recognised: it is another tool's output.
  const isUnknown = draftRuns.length === 0 && problems.every(({ line }) => line === null)
  if (state !== 'draft' || !(isUnknown || mapping !== null) || !(await hasRaw(upload))) return null
  const store = rawStore()
  try {
    const opened = await openUpload(
      store.read(storedSha256),
      nodeUnpacker(() => store.stored(storedSha256)),
    )
    const proposal = opened.kind === 'file' ? await proposeOf(opened.bytes) : await proposeOfFirst(opened.entries)
    return proposal && mapping ? { ...proposal, mapping: mapping.mapping, unsure: [] } : proposal
  } catch (error) {
    if (error instanceof ImportError) return null // the draft reports it already
    throw error
  }
}

async function proposeOf(bytes: Bytes): Promise<MappingProposal | null> {
  return proposeFor(await collectBytes(bytes, headBytes))
}

async function proposeOfFirst(entries: AsyncIterable<ArchiveEntry>): Promise<MappingProposal | null> {
  for await (const entry of entries) if (entry.kind === 'file') return proposeOf(entry.bytes)
  return null
}
