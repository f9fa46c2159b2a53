import type { ComponentProps } from 'react'
import { proposeDraftMapping } from '@/app/_server/uploads/propose-draft-mapping'
import { readLineRanges } from '@/app/_server/uploads/read-upload-lines'
import { shownRanges } from '@/components/upload/draft/shown-lines'
import type { UploadPreview } from '@/components/upload/draft/upload-preview'
import type { UploadDetail } from '@/lib/history/stored-uploads'
import { listMappings } from '@/prisma/queries/uploads/sample-mappings'
import type { Granted } from '@/prisma/queries/projects/projects'
import { listUploadRuns } from '@/prisma/queries/runs/runs'
import { listKnownNames } from '@/prisma/queries/series/series'
import { findSavedUploadBySentSha256 } from '@/prisma/queries/uploads/uploads'

type Loaded = Pick<ComponentProps<typeof UploadPreview>, 'lines' | 'known' | 'savedRuns' | 'savedBefore' | 'samples'>

/** What the page of an upload shows beside it: for a draft, what it may become; else what it became. */
export async function loadPreview(granted: Granted<'read'>, upload: UploadDetail): Promise<Loaded> {
  const { id, state, draftRuns, lineCount, problems, storedSha256, sentSha256 } = upload
  const isDraft = state === 'draft'
  const blocks = draftRuns.map((run) => run.context.lines)
  const [lines, known, savedBefore, savedRuns, proposal] = await Promise.all([
    readLineRanges(storedSha256, shownRanges(lineCount ?? 0, blocks, problems)),
    isDraft ? listKnownNames(granted) : null,
    isDraft ? findSavedUploadBySentSha256(granted, sentSha256) : null,
    isDraft ? [] : listUploadRuns(granted, id, 200),
    proposeDraftMapping(upload),
  ])
  const samples = proposal && { proposal, kept: await listMappings(granted) }
  return { lines, known, savedRuns, savedBefore, samples }
}
