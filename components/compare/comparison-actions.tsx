import type { SavedComparison } from '@/lib/project/stored-comparisons'
import { writeSides } from '../../lib/judge/compare-url'
import { ExportLinks } from '../share/export-links'
import { ShareButton } from '../share/share-button'
import { CopyLink } from '../ui/actions/copy-button'
import { Menu } from '../ui/menu'
import type { PreparedComparison } from './prepare-comparison'
import { SaveComparison } from './saved/save-comparison'

interface Props {
  readonly projectSlug: string
  readonly prepared: PreparedComparison
  /** Its saved comparison: exports and shares include its texts. */
  readonly saved?: SavedComparison
}

/** Actions on a comparison: save, share, and its files behind ⋯. */
export function ComparisonActions({
  projectSlug,
  prepared: { sides, names, plotted, refs: named, view },
  saved,
}: Props) {
  const ids = sides.map((side) => side.map((run) => run.id))
  const name = names.join(' vs ').slice(0, 200)
  const refs = writeSides(named)
  return (
    <>
      {!saved && <SaveComparison projectSlug={projectSlug} kind="runs" refs={refs} name={name} />}
      <ShareButton
        projectSlug={projectSlug}
        kind="comparison"
        sides={ids}
        name={saved?.name ?? name}
        notes={[saved?.takeaways, saved?.notes].filter(Boolean).join('\n\n')}
        view={view.query}
      />
      <Menu label="More actions">
        <CopyLink />
        <hr />
        <ExportLinks
          base={`/api/v1/projects/${projectSlug}/compare/${refs}`}
          hasChart={plotted.some(({ imported }) => imported.latencies.length > 0)}
          query={[view.query, saved === undefined ? '' : `saved=${saved.id}`].filter(Boolean).join('&')}
        />
      </Menu>
    </>
  )
}
