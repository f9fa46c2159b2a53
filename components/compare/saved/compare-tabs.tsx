import { Tabs } from '../../ui/tabs'

const views = [
  { name: 'Compare', path: 'compare' },
  { name: 'Matrix', path: 'matrix' },
  { name: 'Sweep', path: 'matrix?view=sweep' },
  { name: 'Experiments', path: 'experiments' },
  { name: 'Saved and shared', path: 'comparisons' },
] as const

/** The ways to look at several runs at once. */
export function CompareTabs({ slug, here }: { readonly slug: string; readonly here: (typeof views)[number]['name'] }) {
  const tabs = views.map(({ name, path }) => ({ name, href: `/p/${slug}/${path}`, isHere: name === here }))
  return <Tabs label="Compare" tabs={tabs} />
}
