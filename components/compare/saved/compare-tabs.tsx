import { compareHref, whyHref } from '@/lib/judge/compare-url'
import { Tabs } from '../../ui/tabs'

type View = 'Compare' | 'Why' | 'Matrix' | 'Sweep' | 'Experiments' | 'Saved and shared'

interface Props {
  readonly slug: string
  readonly here: View
  /** The comparison that is shown: two of the views are of it. Absent: none is. */
  readonly refs?: readonly (readonly string[])[]
}

/** The ways to look at several runs at once. */
export function CompareTabs({ slug, here, refs = [] }: Props) {
  const isOfTwo = refs.length > 1
  const views: readonly (readonly [name: View, href: string])[] = [
    ['Compare', isOfTwo && here === 'Why' ? compareHref(slug, refs, '') : `/p/${slug}/compare`],
    ...(isOfTwo ? [['Why', whyHref(slug, refs)] as const] : []),
    ['Matrix', `/p/${slug}/matrix`],
    ['Sweep', `/p/${slug}/matrix?view=sweep`],
    ['Experiments', `/p/${slug}/experiments`],
    ['Saved and shared', `/p/${slug}/comparisons`],
  ]
  return <Tabs label="Compare" tabs={views.map(([name, href]) => ({ name, href, isHere: name === here }))} />
}
