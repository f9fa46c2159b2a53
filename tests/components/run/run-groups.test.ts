import { describe, expect, it } from 'vitest'
import { groupingOf, groupRuns, showGroup } from '@/components/runs/run-groups'
import { figuresOf } from '@/lib/run/metrics'
import type { JudgedState } from '@/lib/run/judged-states'
import type { RunRow } from '@/lib/history/stored-runs'
import { sampleRun } from '../../queries/samples'

const at = '2026-11-21T02:00:00.000Z'
const run = (id: string, commit: string | null, uploadId: string, state: JudgedState | null = null): RunRow => ({
  ...{ id, scenario: 'GET /', variant: null, environment: null, projectId: 'p', projectSlug: 'shop' },
  ...{ uploadId, seriesId: 's', indexInUpload: 0, tool: 'hey', form: 'hey-text', load: { kind: 'observed' } },
  ...{ startedAt: null, startedAtSource: null, uploadedAt: at, orderedAt: at, complete: true, candidate: false },
  ...{ guards: [], warnings: [], figures: figuresOf(sampleRun()) },
  labels: commit === null ? {} : { commit, branch: 'main' },
  judged: state === null ? null : { state, sentence: '' },
})

describe('groups of a list', () => {
  const nightly = [
    run('a', 'f3a91c0', 'u1'),
    run('b', 'f3a91c0', 'u2'),
    run('c', '64c1e7a', 'u3'),
    run('d', null, 'u3'),
  ]

  it('are as the address says, otherwise as the runs suggest', () => {
    expect(groupingOf('none', nightly, 'time')).toBe('none')
    expect(groupingOf('upload', nightly, 'time')).toBe('upload')
    expect(groupingOf(null, nightly.slice(0, 2), 'time')).toBe('commit')
    expect(groupingOf(null, nightly.slice(2), 'time')).toBe('upload')
    expect(groupingOf(null, nightly.slice(1, 3), 'time')).toBe('none')
    expect(groupingOf(null, [], 'time')).toBe('none')
  })
  it('are by level where that of their series changed', () => {
    expect(groupingOf(null, nightly, 'time', true)).toBe('level')
    expect(groupingOf('none', nightly, 'time', true)).toBe('none')
    expect(groupingOf('level', nightly, 'time', false)).toBe('none')
  })
  it('exist only in lists sorted by time', () => {
    expect(groupingOf('commit', nightly, 'p99')).toBe('none')
  })
  it('are by commit if there is one, otherwise by upload, at the position of their first run', () => {
    const groups = [...groupRuns([...nightly, run('e', 'f3a91c0', 'u9')], 'commit')]
    expect(groups.map(([key, runs]) => [key, runs.map(({ id }) => id)])).toEqual([
      ['commit f3a91c0', ['a', 'b', 'e']],
      ['commit 64c1e7a', ['c']],
      ['upload u3', ['d']],
    ])
  })
})

describe('the head of a group', () => {
  const head = (states: readonly (JudgedState | null)[], repositoryUrl: string | null = null) =>
    showGroup(
      'commit f3a91c0',
      states.map((state, place) => run(String(place), 'f3a91c0', `u${place}`, state)),
      { pasts: new Map(), common: {}, repositoryUrl },
    )

  it('says how its runs are judged, the most urgent first', () => {
    expect(head(['as-expected', 'unusual', 'failing'])).toMatchObject({
      judged: { state: 'failing', sentence: '2 need attention' },
      isUrgent: true,
      facts: '3 runs · main',
      when: '21 Nov 2026, 02:00',
    })
    expect(head(['unusual']).judged?.sentence).toBe('1 needs attention')
    expect(head(['as-expected', 'no-history']).judged).toEqual({ state: 'as-expected', sentence: 'as expected' })
    expect(head(['better', 'as-expected']).judged).toEqual({ state: 'better', sentence: '1 better' })
    expect(head(['no-history']).judged).toEqual({ state: 'no-history', sentence: 'no history' })
    expect(head([null]).judged).toBeNull()
  })
  it('shows labels once that its runs share and the list does not', () => {
    const runs = ['a', 'b'].map((id) => ({
      ...run(id, 'f3a91c0', 'u'),
      labels: { commit: 'f3a91c0', branch: 'main', region: 'eu', host: 'm7i', payload: id },
    }))
    const { facts, labels } = showGroup('commit f3a91c0', runs, {
      ...{ pasts: new Map(), repositoryUrl: null },
      common: { branch: 'main', region: 'eu' },
    })
    expect(facts).toBe('2 runs')
    expect(labels).toEqual({ labels: { host: 'm7i' }, folded: {} })
  })
  it('links its commit to the repository, and its document if all runs come from one', () => {
    expect(head(['as-expected']).commit).toEqual({ text: 'f3a91c0', href: null, subject: null })
    expect(head(['as-expected'], 'https://git.test/shop').commit?.href).toBe('https://git.test/shop/commit/f3a91c0')
    const past = {
      uploadName: 'nightly.md',
      values: [],
      outside: [],
      times: [],
      commits: [],
      levels: [],
      moved: null,
      off: {},
    }
    const runs = [run('a', null, 'u1'), run('b', null, 'u1')]
    expect(
      showGroup('upload u1', runs, { pasts: new Map([['a', past]]), common: {}, repositoryUrl: null }),
    ).toMatchObject({
      commit: null,
      upload: { name: 'nightly.md', href: '/p/shop/uploads/u1' },
    })
  })
})
