import { expect, it } from 'vitest'
import { keyIntent } from '@/components/palette/key-intent'
import { foundItems, groupItems, matchingItems, pageItems } from '@/components/palette/palette-items'

const key = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  repeat: false,
  ...more,
})

it('recognises ⌘K, Ctrl-K, / and ?, and nothing while the user types', () => {
  expect(keyIntent(key('k', { metaKey: true }), false)).toBe('palette')
  expect(keyIntent(key('K', { ctrlKey: true }), false)).toBe('palette')
  expect(keyIntent(key('/'), false)).toBe('search')
  expect(keyIntent(key('?'), false)).toBe('help')
  expect(keyIntent(key('.'), false)).toEqual({ letter: '.' })
  for (const pressed of [key('k', { metaKey: true }), key('k', { ctrlKey: true }), key('/'), key('?')]) {
    expect(keyIntent(pressed, true)).toBeNull()
    expect(keyIntent({ ...pressed, isComposing: true }, false)).toBeNull()
  }
  for (const other of [
    key('K'),
    key('Enter'),
    key('/', { ctrlKey: true }),
    key('?', { altKey: true }),
    key('j', { metaKey: true }),
  ]) {
    expect(keyIntent(other, false)).toBeNull()
  }
})

it('maps a letter to the control that declares it, unless the user is typing', () => {
  expect(keyIntent(key('u'), false)).toEqual({ letter: 'U' })
  expect(keyIntent(key('u'), true)).toBeNull()
  expect(keyIntent(key('u', { repeat: true }), false)).toBeNull()
})

const pages = pageItems(
  [
    { href: '/p/a/compare', name: 'Compare' },
    { href: '/p/a/comparisons', name: 'Comparisons' },
    { href: '/', name: 'Home' },
    { href: '/p/a/trends', name: 'My compare' },
  ],
  'Go to',
)

it('filters by words in any order and puts matches of the beginning first', () => {
  const names = (text: string) => matchingItems(pages, text).map((item) => item.name)
  expect(names('')).toEqual(['Compare', 'Comparisons', 'Home', 'My compare'])
  expect(names(' COMPARE ')).toEqual(['Compare', 'My compare'])
  expect(names('my')).toEqual(['My compare'])
  expect(names('home go')).toEqual(['Home'])
  expect(names('nothing')).toEqual([])
})

it('reads runs and comparisons from a response, and ignores what it does not know', () => {
  const run = { id: 'r1', scenario: 'GET /ping', variant: 'gzip', environment: null, tool: 'hey' }
  const judged = { state: 'worse', sentence: 'p99 rose by 18 %.' }
  const orderedAt = '2026-01-02T03:04:05.000Z'
  const items = foundItems('a', {
    runs: [{ ...run, orderedAt, judged, labels: { commit: '8de2d48' } }, { id: 'r2' }],
    comparisons: [{ id: 'c1', name: 'C' }, 7],
  })
  expect(items).toEqual([
    {
      id: 'run r1',
      group: 'Runs',
      name: 'GET /ping › gzip',
      detail: '8de2d48 · 2 Jan 2026, 03:04',
      judged,
      does: { kind: 'open', href: '/p/a/runs/r1' },
    },
    {
      id: 'comparison c1',
      group: 'Comparisons',
      name: 'C',
      detail: null,
      does: { kind: 'open', href: '/p/a/comparisons/c1' },
    },
  ])
  expect(foundItems('a', null)).toEqual([])
  expect(foundItems('a', { runs: 'many' })).toEqual([])
  expect(groupItems([...items, ...pages, ...items.slice(0, 1)]).map((one) => [one.group, one.items.length])).toEqual([
    ['Go to', 4],
    ['Runs', 2],
    ['Comparisons', 1],
  ])
})
