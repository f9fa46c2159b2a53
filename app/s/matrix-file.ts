import { matrixCsv, matrixJson, matrixText } from '@/components/shared/matrix-files'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { fileAnswer } from './file-answer'
import { matrixImage } from './matrix-image'
import type { ImageTheme } from './preview-image'

/**
 * A shared matrix as the file of this name; null when there is no such file (a matrix has no single chart). `theme`: of
 * a picture.
 */
export function matrixFile(
  file: string,
  prepared: PreparedMatrix,
  { projectName, theme }: { readonly projectName: string; readonly theme: ImageTheme },
): Response | null {
  switch (file) {
    case 'preview.png':
      return matrixImage(prepared, projectName, theme)
    case 'table.md':
      return fileAnswer('text/markdown; charset=utf-8', matrixText(prepared))
    case 'data.csv':
      return fileAnswer('text/csv; charset=utf-8', matrixCsv(prepared))
    case 'data.json':
      return fileAnswer('application/json; charset=utf-8', matrixJson(prepared))
    default:
      return null
  }
}
