import type { JudgedState } from '../../lib/run/judged-states'

/** Lines on a grid of 16. A dot is a line of no length. */
const paths = {
  board:
    'M2 4h5M2 8h5M2 12h5M12.2 4a1.2 1.2 0 1 1-2.4 0 1.2 1.2 0 1 1 2.4 0M14.2 8a1.2 1.2 0 1 1-2.4 0 1.2 1.2 0 1 1 2.4 0M11.2 12a1.2 1.2 0 1 1-2.4 0 1.2 1.2 0 1 1 2.4 0',
  account: 'M10.8 5a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 1 1 5.6 0M2.5 13.5c.6-2.6 2.8-3.9 5.5-3.9s4.9 1.3 5.5 3.9',
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.5v7h8v-7',
  runs: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  compare: 'M2 13c4 0 6-1 11-10M2 13c5 0 8-1 12-5',
  trends: 'M2 13.5h12M3 10l3-3 2.5 2L13 4',
  alerts: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8zM6.8 14.2h2.4',
  upload: 'M8 11V3M4.8 6 8 2.8 11.2 6M2.5 11v2.5h11V11',
  share: 'M8 10V2.5M5 5l3-3 3 3M3.5 8v5.5h9V8',
  settings:
    'M2 5h7M13 5h1M2 11h1M7 11h7M12.8 5a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 1 1 3.6 0M6.8 11a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 1 1 3.6 0',
  learn:
    'M2.5 3.5h4A1.5 1.5 0 0 1 8 5v8a1.5 1.5 0 0 0-1.5-1.5h-4zM13.5 3.5h-4A1.5 1.5 0 0 0 8 5v8a1.5 1.5 0 0 1 1.5-1.5h4z',
  search: 'M11.2 7a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 1 1 8.4 0M10.2 10.2l3.3 3.3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'm4 6 4 4 4-4',
  up: 'm4 10 4-4 4 4',
  updown: 'm5 6.2 3-3 3 3M5 9.8l3 3 3-3',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  plus: 'M8 3v10M3 8h10',
  swap: 'M3 5.5h9.5L10 3M13 10.5H3.5L6 13',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  table: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.8 6.3V13',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'm3.5 8.5 3 3 6-7',
  sun: 'M10.6 8a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 1 1 5.2 0M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  close: 'm4.5 4.5 7 7M11.5 4.5l-7 7',
  contrast: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 1 1 11 0M8 2.5v11M9.5 3v10M11 4v8M12.2 5.2v5.6',
} as const

export type IconName = keyof typeof paths

/** Paths on a grid of 12. Each state has its own shape, so that colour is never its only mark. */
export const stateShapes: Readonly<Record<JudgedState, string>> = {
  failing: 'm2 2 8 8M10 2l-8 8',
  worse: 'M6 1l5.5 9.8H.5z',
  unusual: 'M6 .8 11.2 6 6 11.2.8 6z',
  invalid: 'M2 2h8v8H2zM2 10l8-8',
  better: 'M6 11 .5 1.2h11z',
  'no-history': 'M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0z',
  'as-expected': 'M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0z',
}

/** A 16 px line icon, hidden from screen readers: its button or link has the name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}

/** Tailboard's mark: two curves that part in the tail. */
export function Brand() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M1.5 15.5C8 15 12 13 16 3v12.5Z" fill="var(--band-2)" />
      <path d="M1.5 15.5C7 15 11 14 16.5 9.5" stroke="var(--text)" />
      <path d="M1.5 15.5C8 15 12 13 16 3" stroke="var(--accent)" />
    </svg>
  )
}
