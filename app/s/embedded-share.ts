import type { OpenedLink } from '@/app/_server/sharing/open-share-link'
import { evidencePlotOf, wordTable } from '@/components/shared/comparison-files'
import { embedPage } from '@/components/shared/embed-page'
import { matrixTable } from '@/components/shared/matrix-files'
import { boardTable } from '@/components/shared/board-files'
import { faceOf, prepareSharedBoard, prepareSharedMatrix, prepareSharedRuns } from './prepare-share'
import { sweepPlotOf } from './sweep-plot'
import { themes } from '../_server/themes'

/** A link as a page for frames on other sites, as HTML; null when it has nothing to show. `url`: of its page. */
export function embeddedShare(link: OpenedLink, url: string, theme: 'light' | 'dark' | null): string | null {
  const face = faceOf(link)
  if (face === null) return null
  const { projectName } = link.share
  return embedPage({ face, projectName, url, themes, theme, ...shownOf(link) })
}

function shownOf(link: OpenedLink) {
  if (link.kind === 'matrix') {
    const prepared = prepareSharedMatrix(link)
    const plot = sweepPlotOf(prepared)
    const tables = plot === null ? prepared.metrics.map((metric) => matrixTable(prepared.matrix, metric)) : []
    return { plot, tables: tables.map(({ title, head, rows }) => ({ title, head: [title, ...head.slice(1)], rows })) }
  }
  if (link.kind === 'board')
    return { plot: null, tables: [{ title: 'Series', ...boardTable(prepareSharedBoard(link)) }] }
  const prepared = prepareSharedRuns(link)
  if (prepared === null) return { plot: null, tables: [] }
  return { plot: evidencePlotOf(prepared), tables: [{ title: 'Figures', ...wordTable(prepared) }] }
}
