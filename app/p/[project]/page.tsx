import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { BoardActions } from '@/components/board/board-actions'
import { newestOnBoard } from '@/components/board/board-list'
import { BoardView } from '@/components/board/board-view'
import { readBoardQuery } from '@/components/board/board-url'
import { DocumentView } from '@/components/board/document-view'
import { LiveRuns } from '@/components/live/live-runs'
import { NoRuns } from '@/components/runs/no-runs'
import { PageBar } from '@/components/shell/page-bar'
import { listBoard } from '@/prisma/queries/series/board'
import { loadBoard } from './load-board'
import { loadDocuments } from './load-documents'
import { openProject } from './open-project'

type Props = {
  params: Promise<{ project: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export const metadata: Metadata = { title: 'Board' }

export default async function BoardPage({ params, searchParams }: Props) {
  const { project, version, granted, limits } = await openProject((await params).project)
  const query = readBoardQuery(await searchParams)
  const series = await listBoard(granted)
  const documents = series.length === 0 ? null : await loadDocuments(granted, series)
  const board = series.length === 0 || documents !== null ? null : await loadBoard(granted, series, { query, limits })
  const origin = requestOrigin(await headers())
  return (
    <>
      <PageBar project={project} here="Board" isHeading>
        {board === null ? (
          <BoardActions project={project} kind="matrix" series={series} view="" />
        ) : (
          <BoardActions project={project} kind="board" series={board.page.found} />
        )}
      </PageBar>
      <div className="page">
        {series.length > 0 && <LiveRuns slug={project.slug} version={version} {...newestOnBoard(series)} />}
        {board !== null ? (
          <BoardView project={project} query={query} total={series.length} {...board} />
        ) : documents !== null ? (
          <DocumentView project={project} board={documents} chosen={query.seriesId} origin={origin} />
        ) : (
          <NoRuns origin={origin} slug={project.slug} />
        )}
      </div>
    </>
  )
}
