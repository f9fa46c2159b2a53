import type { OpenedBoard, OpenedMatrix } from '@/app/_server/sharing/open-share-link'
import { SharedBoard } from '@/components/shared/shared-board'
import { SharedMatrix } from '@/components/shared/shared-matrix'
import { prepareSharedBoard, prepareSharedMatrix } from './prepare-share'

/** The table of a shared board or matrix, or the sweep of its runs. */
export function SharedTable({
  token,
  link,
  tables,
}: {
  token: string
  link: OpenedMatrix | OpenedBoard
  tables: readonly string[]
}) {
  const { notes } = link.share
  if (link.kind === 'board') return <SharedBoard token={token} prepared={prepareSharedBoard(link)} notes={notes} />
  return <SharedMatrix token={token} prepared={prepareSharedMatrix(link)} notes={notes} tables={tables} />
}
