import { preparePageRuns } from '@/app/_server/sharing/page-runs'
import { costTable, limitSentence, wordTable } from '@/components/shared/comparison-files'
import { windowSentence } from '@/components/compare/delta-words'
import type { PreparedComparison } from '@/components/compare/prepare-comparison'
import { differenceWords } from '@/lib/judge/comparability'
import { writeMarkdownPage } from '@/lib/export/markdown-export'

interface Words {
  readonly name: string
  /** Markdown; empty: none. */
  readonly notes: string
  readonly takeaways: string
}

/** A comparison as a page like those people write by hand; importing it gives the same runs. */
export async function comparisonMarkdown(prepared: PreparedComparison, words: Words): Promise<string> {
  const { comparison, differences, runs, runNames } = prepared
  const cost = costTable(prepared)
  return writeMarkdownPage({
    title: words.name,
    lead: [
      `${comparison.sentence}.`,
      comparison.caution,
      windowSentence(comparison) ?? '',
      limitSentence(prepared) ?? '',
    ],
    tables: [{ title: 'Comparison', ...wordTable(prepared), foot: '' }, ...(cost ? [{ title: 'Cost', ...cost }] : [])],
    differences: differences.map(differenceWords),
    takeaways: words.takeaways,
    notes: words.notes,
    runs: await preparePageRuns(runs, runNames),
    cellNotes: [],
  })
}
