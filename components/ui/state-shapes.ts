import type { JudgedState } from '../../lib/run/judged-states'

/** Paths on a grid of 12. Each state has its own shape, so that none is told by colour alone. */
export const stateShapes: Readonly<Record<JudgedState, string>> = {
  failing: 'm2 2 8 8M10 2l-8 8',
  worse: 'M6 1l5.5 9.8H.5z',
  unusual: 'M6 .8 11.2 6 6 11.2.8 6z',
  invalid: 'M2 2h8v8H2zM2 10l8-8',
  better: 'M6 11 .5 1.2h11z',
  'no-history': 'M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0z',
  'as-expected': 'M10 6a4 4 0 1 1-8 0 4 4 0 1 1 8 0z',
}
