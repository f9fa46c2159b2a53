import { markdownTable } from '@/lib/export/markdown-table'
import { boardCsv, boardJson, boardTable, pictureLines } from '@/components/shared/board-files'
import type { PreparedBoard } from '@/components/shared/prepare-board'
import { boardFace, faceWords } from '@/components/shared/share-face'
import { fileAnswer } from './file-answer'
import { previewImage, type ImageTheme } from './preview-image'
import { TableDrawing } from './table-drawing'

/** A shared board as the file of this name; null when there is no such file. `theme`: of a picture. */
export function boardFile(
  file: string,
  prepared: PreparedBoard,
  { projectName, theme }: { readonly projectName: string; readonly theme: ImageTheme },
): Response | null {
  const face = boardFace(prepared)
  const table = boardTable(prepared)
  switch (file) {
    case 'preview.png':
      return previewImage({
        projectName,
        face,
        theme,
        body: (box) => <TableDrawing lines={pictureLines(prepared)} {...box} />,
      })
    case 'table.md':
      return fileAnswer('text/markdown; charset=utf-8', `${faceWords(face)}.\n\n${markdownTable(table)}`)
    case 'data.csv':
      return fileAnswer('text/csv; charset=utf-8', boardCsv(prepared))
    case 'data.json':
      return fileAnswer('application/json; charset=utf-8', boardJson(prepared))
    default:
      return null
  }
}
