import { comparisonCsv, comparisonJson, wordTable } from '@/components/shared/comparison-files'
import { markdownTable } from '@/lib/export/markdown-table'
import { comparisonPage } from '@/components/shared/comparison-page'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { matrixCsv, matrixJson, matrixText } from '@/components/shared/matrix-files'
import { readThemes } from '@/lib/theme'
import type { Shown } from './shown'

/** Set by the build. */
declare const viewerTokens: string

type FileToSave = readonly [label: string, file: string, make: () => string]

/** What the page shows, as files. */
export function Exports({ of }: Pick<Shown, 'of'>) {
  const files = of.kind === 'sides' ? comparisonFiles(of.prepared) : matrixFiles(of.prepared)
  return files.map(([label, file, make]) => (
    <button key={label} type="button" onClick={() => save(make(), file)}>
      {label}
    </button>
  ))
}

function comparisonFiles(prepared: PreparedComparison): readonly FileToSave[] {
  const name = prepared.names.join(' vs ')
  const html = () => comparisonPage({ prepared, name, notes: '', raw: [], themes: readThemes(viewerTokens) })
  return [
    ['Save as HTML', 'comparison.html', html],
    ['Save as Markdown', 'comparison.md', () => markdownTable(wordTable(prepared))],
    ['Save as CSV', 'comparison.csv', () => comparisonCsv(prepared)],
    ['Save as JSON', 'comparison.json', () => comparisonJson(prepared)],
  ]
}

const matrixFiles = (prepared: PreparedMatrix): readonly FileToSave[] => [
  ['Save as Markdown', 'matrix.md', () => matrixText(prepared)],
  ['Save as CSV', 'matrix.csv', () => matrixCsv(prepared)],
  ['Save as JSON', 'matrix.json', () => matrixJson(prepared)],
]

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
