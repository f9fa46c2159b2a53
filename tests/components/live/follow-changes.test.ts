import { expect, it } from 'vitest'
import { followChanges, type StreamEvents } from '@/components/live/follow-changes'

/** A page whose clock moves when told to. */
function page() {
  const opened: (StreamEvents & { isClosed: boolean })[] = []
  const timers: { readonly atMs: number; readonly then: () => void }[] = []
  let nowMs = 0
  let isVisible = true
  let changed = () => {}
  const heard: string[] = []
  return {
    ...{ opened, heard },
    /** When each stream was opened. */
    openedAtMs: [] as number[],
    streams: () => opened.filter(({ isClosed }) => !isClosed).length,
    follow(version: string) {
      return followChanges(version, (read) => heard.push(read), {
        open: (events) => {
          this.openedAtMs.push(nowMs)
          const stream = { ...events, isClosed: false }
          opened.push(stream)
          return () => (stream.isClosed = true)
        },
        isVisible: () => isVisible,
        onVisibility: (then) => {
          changed = then
          return () => (changed = () => {})
        },
        later: (ms, then) => {
          const timer = { atMs: nowMs + ms, then }
          timers.push(timer)
          return () => void timers.splice(timers.indexOf(timer), 1)
        },
        random: () => 1,
      })
    },
    show(now: boolean) {
      isVisible = now
      changed()
    },
    pass(ms: number) {
      const endMs = nowMs + ms
      for (;;) {
        const next = timers.filter(({ atMs }) => atMs <= endMs).sort((one, other) => one.atMs - other.atMs)[0]
        if (next === undefined) break
        timers.splice(timers.indexOf(next), 1)
        nowMs = next.atMs
        next.then()
      }
      nowMs = endMs
    },
    fail(next: 'never' | number | null = null) {
      const stream = opened.at(-1)
      if (stream === undefined || stream.isClosed) throw new Error('no stream is open')
      stream.isClosed = true
      stream.ended(next)
    },
  }
}

it('opens one stream after a moment, and says each version once that the page does not show', () => {
  const own = page()
  own.follow('7')
  expect(own.streams()).toBe(0)
  own.pass(1_000)
  expect(own.streams()).toBe(1)
  for (const version of ['7', '8', '8', '9']) own.opened[0]?.version(version)
  expect(own.heard).toEqual(['8', '9'])
})

it('closes while hidden, whatever it was doing, and is back at once', () => {
  const own = page()
  own.follow('7')
  own.show(false)
  own.pass(60_000)
  expect(own.opened).toHaveLength(0)
  own.show(true)
  own.pass(0)
  expect(own.streams()).toBe(1)
  own.show(false)
  expect(own.streams()).toBe(0)
  own.show(true)
  own.pass(0)
  // Its first version says what was missed.
  own.opened.at(-1)?.version('9')
  expect(own.heard).toEqual(['9'])
  expect(own.streams()).toBe(1)
})

it('opens none for a page that begins hidden', () => {
  const own = page()
  own.show(false)
  own.follow('7')
  own.pass(60_000)
  expect(own.opened).toHaveLength(0)
})

it('comes back after a pause that doubles up to a minute, and begins anew once a version came', () => {
  const own = page()
  own.follow('7')
  own.pass(1_000)
  for (let at = 0; at < 8; at += 1) {
    own.fail()
    own.pass(60_000)
  }
  const pauses = own.openedAtMs.slice(1).map((atMs, at) => atMs - (own.openedAtMs[at] ?? 0))
  // The clock moves a minute each time; within it, the pauses are these.
  expect(pauses.map((ms) => ms % 60_000)).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 28_000, 0])
  own.opened.at(-1)?.version('8')
  own.fail()
  own.pass(1_000)
  expect(own.streams()).toBe(1)
})

it('waits as long as the server asks for, and for ever when it may not read', () => {
  const own = page()
  own.follow('7')
  own.pass(1_000)
  own.fail(30_000)
  own.pass(29_000)
  expect(own.streams()).toBe(0)
  own.pass(1_000)
  expect(own.streams()).toBe(1)
  own.fail('never')
  own.pass(600_000)
  own.show(false)
  own.show(true)
  own.pass(600_000)
  expect(own.opened).toHaveLength(2)
})

it('does not hurry when a page is shown again while its server is away', () => {
  const own = page()
  own.follow('7')
  own.pass(1_000)
  own.fail()
  own.show(false)
  own.show(true)
  own.pass(999)
  expect(own.streams()).toBe(0)
  own.pass(1)
  expect(own.streams()).toBe(1)
})

it('ends with the page', () => {
  const own = page()
  const end = own.follow('7')
  own.pass(1_000)
  end()
  expect(own.streams()).toBe(0)
  own.show(false)
  own.show(true)
  own.pass(60_000)
  expect(own.opened).toHaveLength(1)
})
