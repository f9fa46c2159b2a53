import { drawFile, toSvg } from '@/components/charts/plot/file'
import { comparisonCsv, comparisonJson, markdownTable, plotOf, wordTable } from '@/components/shared/comparison-files'
import { comparisonPage } from '@/components/shared/comparison-page'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { chartImage, light } from './chart-image'
import { fileAnswer } from './file-answer'
import { themes } from '../_server/themes'

interface FileOf {
  readonly prepared: PreparedComparison
  readonly name: string
  /** Markdown; empty: none. */
  readonly notes: string
  /** The runs' raw output by their place; empty: not included. */
  readonly raw: readonly string[]
}

/** A comparison as the file of this name, as its page shows it; null when there is no such file. */
export function comparisonFile(file: string, of: FileOf): Response | null {
  const { prepared, name } = of
  const { sentence, caution, doubt } = prepared.comparison
  const table = wordTable(prepared)
  switch (file) {
    case 'chart.svg': {
      const plot = plotOf(prepared)
      return (
        plot &&
        fileAnswer(
          'image/svg+xml',
          toSvg(drawFile(plot, { width: 960, height: 420 }, light), `${name}: ${sentence}`, light),
        )
      )
    }
    case 'chart.png':
      return plotOf(prepared) && chartImage(prepared, null)
    case 'preview.png':
      return chartImage(prepared, { name, sentence, doubt })
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
