import { expect, test } from 'vitest'
import { linesOfPage, projectsPage, readProjectsQuery } from '@/components/projects/projects-page'
import { defaultSettings } from '@/lib/project/project-settings'

const projects = Array.from({ length: 2 * linesOfPage + 3 }, (_, at) => ({
  ...defaultSettings,
  ...{ id: `id-${at}`, slug: `team-${at}`, name: at === 7 ? 'Checkout' : `Team ${at}` },
  ...{ createdAt: '2026-11-01T00:00:00.000Z', runCount: 0, latestRunAt: null },
}))
const slugs = (from: number, to: number) => projects.slice(from, to).map(({ slug }) => slug)
const shownOf = (query: Parameters<typeof readProjectsQuery>[0]) => {
  const { shown, ...rest } = projectsPage(projects, readProjectsQuery(query))
  return { ...rest, shown: shown.map(({ slug }) => slug) }
}

test('the pages show each project once, in their order', () => {
  expect(shownOf({})).toMatchObject({ shown: slugs(0, 20), firstHref: null, nextHref: '/?page=2#projects' })
  expect(shownOf({ page: '2' })).toMatchObject({
    shown: slugs(20, 40),
    firstHref: '/#projects',
    nextHref: '/?page=3#projects',
  })
  expect(shownOf({ page: '3' })).toMatchObject({ shown: slugs(40, 43), firstHref: '/#projects', nextHref: null })
})

test('a page that does not exist is the last, and one that is no number is the first', () => {
  expect(shownOf({ page: '99' })).toMatchObject({ page: 3, shown: slugs(40, 43) })
  for (const page of ['0', '-1', '1.5', 'x', '1e99']) expect(shownOf({ page }).page).toBe(1)
})

test('a text finds names and slugs, and stays in the addresses', () => {
  expect(shownOf({ text: ' checkOUT ' })).toMatchObject({ found: 1, shown: ['team-7'], nextHref: null })
  expect(shownOf({ text: 'team' })).toMatchObject({ found: 43, nextHref: '/?text=team&page=2#projects' })
  expect(shownOf({ text: 'none' })).toMatchObject({ found: 0, shown: [], page: 1 })
  expect(shownOf({ text: ['team-4', 'x'], page: ['2'] })).toMatchObject({ found: 4, page: 1 })
})
