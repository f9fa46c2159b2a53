import { markdownTable } from '@/lib/export/markdown-table'
import { createElement } from 'react'
import { captioned, drawFile, toSvg } from '@/components/charts/plot/file'
import { comparisonCsv, comparisonJson, evidencePlotOf, plotOf, wordTable } from '@/components/shared/comparison-files'
import { comparisonPage } from '@/components/shared/comparison-page'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { captionOf, comparisonFace } from '@/components/shared/share-face'
import { fontFaces } from './image-fonts'
import { colorIn, Drawing, previewImage, type ImageTheme } from './preview-image'
import { fileAnswer } from './file-answer'
import { themes } from '../_server/themes'

/** Height of a chart with its verdict. */
const chartPx = 760
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"
type Box = Parameters<Parameters<typeof previewImage>[0]['body']>[0]

interface FileOf {
  readonly prepared: PreparedComparison
  readonly name: string
  readonly projectName: string
  /** Markdown; empty: none. */
  readonly notes: string
  /** The runs' raw output, in the order of the runs; empty: not included. */
  readonly raw: readonly string[]
  /** Of a picture. */
  readonly theme: ImageTheme
}

/** A comparison as the file of this name, as on its page; null when there is no such file. */
export function comparisonFile(file: string, of: FileOf): Response | null {
  const { prepared, projectName, theme } = of
  const face = comparisonFace(prepared)
  const { sentence, caution } = face
  const table = wordTable(prepared)
  switch (file) {
    case 'chart.svg': {
      const plot = plotOf(prepared)
      const color = colorIn(theme)
      const drawn = plot && captioned(drawFile(plot, { width: 960, height: 420 }, color), captionOf(projectName, face))
      return (
        drawn &&
        fileAnswer('image/svg+xml; charset=utf-8', toSvg(drawn, face.title, color, { faces: fontFaces }), svgPolicy)
      )
    }
    case 'chart.png': {
      const plot = plotOf(prepared)
      const body = (box: Box) => createElement(Drawing, { plot, ...box })
      return plot && previewImage({ projectName, face, theme, height: chartPx, body })
    }
    case 'preview.png':
      return previewImage({
        projectName,
        face,
        theme,
        body: (box) => createElement(Drawing, { plot: evidencePlotOf(prepared), ...box }),
      })
    case 'table.md':
      return fileAnswer('text/markdown; charset=utf-8', `${sentence}.\n\n${markdownTable(table)}\n${caution}\n`)
    case 'data.csv':
      return fileAnswer('text/csv; charset=utf-8', comparisonCsv(prepared))
    case 'data.json':
      return fileAnswer('application/json; charset=utf-8', comparisonJson(prepared))
    case 'comparison.html':
      return fileAnswer(
        'text/html; charset=utf-8',
        comparisonPage({ ...of, themes }),
        "default-src 'none'; style-src 'unsafe-inline'",
      )
    default:
      return null
  }
}
