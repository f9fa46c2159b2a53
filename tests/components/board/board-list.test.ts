import { describe, expect, it } from 'vitest'
import { boardPageSize, pageOfBoard } from '../../../components/board/board-list'
import { boardHref, readBoardQuery } from '../../../components/board/board-url'
import type { BoardSeries } from '../../../lib/board/series'
import type { JudgedState } from '../../../lib/run/judged-states'

const series = (id: string, state: JudgedState | null, scenario = id): BoardSeries => ({
  id,
  projectId: 'p',
  projectSlug: 'shop',
  scenario,
  variant: null,
  environment: null,
  newest: { runId: `r${id}`, uploadId: 'u', uploadName: '', commit: null, orderedAt: '', state },
  later: null,
})
const shown = (all: readonly BoardSeries[], params: Record<string, string> = {}) =>
  pageOfBoard(all, readBoardQuery(params)).shown.map(({ id }) => id)

describe('the list of the board', () => {
  const all = [
    series('ok', 'as-expected'),
    series('few', 'no-history'),
    series('better', 'better'),
    series('none', null),
    series('bad', 'invalid'),
    series('odd', 'unusual'),
    series('slow', 'worse'),
    series('down', 'failing'),
  ]

  it('is sorted by attention, or by name', () => {
    expect(shown(all)).toEqual(['down', 'slow', 'odd', 'bad', 'better', 'few', 'ok', 'none'])
    expect(shown(all, { order: 'scenario' })).toEqual(['bad', 'better', 'down', 'few', 'none', 'odd', 'ok', 'slow'])
  })

  it('is filtered by words and by state', () => {
    expect(shown(all, { text: 'O' })).toEqual(['down', 'slow', 'odd', 'ok', 'none'])
    expect(shown(all, { state: 'unusual' })).toEqual(['odd'])
    expect(shown(all, { text: 'o', state: 'unusual' })).toEqual(['odd'])
  })

  it('has pages; a number beyond the last shows the last', () => {
    const many = Array.from({ length: 3 * boardPageSize - 10 }, (_, at) =>
      series(`s${at}`, 'as-expected', `GET /${at}`),
    )
    const last = pageOfBoard(many, readBoardQuery({ page: '99' }))
    expect(last).toMatchObject({ count: many.length, page: 3, pages: 3 })
    expect(last.shown).toHaveLength(boardPageSize - 10)
    // Numbers in names sort as numbers.
    expect(shown(many).slice(0, 3)).toEqual(['s0', 's1', 's2'])
  })
})

describe('the address of the board', () => {
  it('omits defaults, and resets the page when the list changes', () => {
    const query = readBoardQuery({
      metric: 'p50',
      order: 'scenario',
      text: ' ping ',
      page: '2',
      series: 'x',
      state: 'worse',
    })
    expect(boardHref('/p/shop', query)).toBe('/p/shop?metric=p50&order=scenario&text=ping&state=worse')
    expect(boardHref('/p/shop', query, { page: 2, metric: null, text: '', state: null, order: 'attention' })).toBe(
      '/p/shop?page=2',
    )
  })

  it('replaces invalid values with the default', () => {
    const query = readBoardQuery({ metric: 'max', order: 'up', page: '-1', state: 'odd', series: ['', 'y'] })
    expect(boardHref('/p/shop', query)).toBe('/p/shop')
    expect(query).toMatchObject({ metric: null, page: 1, seriesId: null })
  })
})
