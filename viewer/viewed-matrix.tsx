import { MatrixParts } from '@/components/matrix/matrix-view'
import type { PreparedMatrix } from '@/components/matrix/prepare-matrix'
import { Tabs } from '@/components/ui/tabs'
import { cellHref, type View } from './views'

const names: Readonly<Record<View, string>> = { compare: 'Compare', matrix: 'Matrix', sweep: 'Sweep' }

/** The ways to look at these runs; nothing if there is one. */
export function ViewTabs({ views, here }: { readonly views: readonly View[]; readonly here: View }) {
  if (views.length < 2) return null
  return (
    <Tabs
      label="Views"
      tabs={views.map((view) => ({ name: names[view], href: `?view=${view}`, isHere: view === here }))}
    />
  )
}

/** All runs by two of their fields, or over a number that varies: what the server shows of them. */
export const ViewedMatrix = ({ prepared }: { readonly prepared: PreparedMatrix }) => (
  <MatrixParts projectSlug={null} path="" hrefOf={cellHref} prepared={prepared} others={null} cellNotes={[]} />
)
