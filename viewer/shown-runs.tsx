import { Link } from '@/components/ui/links/link'
import type { ViewedFile } from './read-files'
import type { Shown } from './shown'
import { SideNames } from './side-names'
import { ViewedComparison } from './viewed-comparison'
import { ViewedMatrix, ViewTabs } from './viewed-matrix'

/** The runs in the view that was chosen. */
export function ShownRuns({ shown, files }: { readonly shown: Shown; readonly files: readonly ViewedFile[] }) {
  const { of, views, view, notes, isCell } = shown
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="notice">
          {note}
        </p>
      ))}
      <ViewTabs views={views} here={view} />
      {of.kind === 'matrix' ? (
        <ViewedMatrix prepared={of.prepared} />
      ) : (
        <>
          {isCell && (
            <p className="text-13">
              <Link href="?view=matrix">Back to the matrix</Link>
            </p>
          )}
          <Pairings {...shown} />
          <SideNames prepared={of.prepared} files={files} onName={shown.rename} onSwap={isCell ? null : shown.swap} />
          <ViewedComparison prepared={of.prepared} />
        </>
      )}
    </>
  )
}

/** Documents with runs of several names have a comparison for each. */
function Pairings({ titles, chosen, choose }: Pick<Shown, 'titles' | 'chosen' | 'choose'>) {
  if (titles.length < 2) return null
  return (
    <p className="row wrap gap-8 below-12">
      <label className="row gap-8 text-13">
        Compare
        <select className="select" value={chosen} onChange={({ target }) => choose(Number(target.value))}>
          {titles.map((title, at) => (
            <option key={title} value={at}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}
