import type { SavedComparison } from '@/lib/project/stored-comparisons'
import { SaveComparison } from '../compare/saved/save-comparison'
import { ShareButton } from '../share/share-button'
import { CopyLink } from '../ui/actions/copy-button'
import { Menu } from '../ui/menu'
import { frozenSearch, maxExportedRuns, narrowedWords, searchOf } from './matrix-url'
import type { PreparedMatrix } from './prepare-matrix'

interface Props {
  readonly projectSlug: string
  readonly prepared: PreparedMatrix
  /** Null: not of one upload. */
  readonly uploadName: string | null
  /** Its saved matrix: shares include its texts. */
  readonly saved?: SavedComparison
}

const files = [
  ['table.md', 'Table (Markdown)'],
  ['data.csv', 'CSV'],
  ['data.json', 'JSON'],
  ['matrix.png', 'Picture (PNG)'],
] as const

/** Actions on a matrix: save, share, and its files behind ⋯. */
export function MatrixActions({ projectSlug, prepared, uploadName, saved }: Props) {
  const { runs, query, matrix } = prepared
  if (runs.length === 0) return null
  const name = [uploadName ?? [], ...narrowedWords(query)].flat().join(', ').slice(0, 200) || 'Matrix'
  const base = `/api/v1/projects/${projectSlug}/matrix`
  const page = runs.length > maxExportedRuns ? `Markdown page of the newest ${maxExportedRuns} runs` : 'Markdown page'
  return (
    <>
      {!saved && <SaveComparison projectSlug={projectSlug} kind="matrix" refs="" name={name} />}
      <ShareButton
        projectSlug={projectSlug}
        kind="matrix"
        sides={[runs.map((run) => run.id)]}
        name={saved?.name ?? name}
        notes={[saved?.takeaways, saved?.notes].filter(Boolean).join('\n\n')}
        view={frozenSearch(query, matrix.baselineColumn)}
      />
      <Menu label="More actions">
        <CopyLink />
        <hr />
        <p>Export</p>
        <a href={`${base}/matrix.md?${searchOf(query)}`} download="" data-command="Export: Markdown page">
          {page}
        </a>
        {files.map(([file, label]) => (
          <a key={file} href={`${base}/${file}?${searchOf(query)}`} download="" data-command={`Export: ${label}`}>
            {label}
          </a>
        ))}
      </Menu>
    </>
  )
}
