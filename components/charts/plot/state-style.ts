import type { JudgedState } from '../../../lib/run/judged-states'
import type { SeriesStyle } from './scale'

/** How a judged run is drawn: the line in its colour, its end or its place in a strip with the shape of its state. */
export interface StateStyle extends SeriesStyle {
  readonly isHollow: boolean
}

const solid = (color: string, marker: SeriesStyle['marker']): StateStyle => ({
  color,
  marker,
  dash: '',
  isHollow: false,
})

/** Colour is never a state's only mark. */
const styles: Readonly<Record<JudgedState, StateStyle>> = {
  failing: solid('var(--worse)', 'cross'),
  worse: solid('var(--worse)', 'triangle'),
  invalid: { ...solid('var(--worse)', 'square'), isHollow: true },
  unusual: solid('var(--unusual)', 'diamond'),
  better: solid('var(--better)', 'down'),
  'no-history': { ...solid('var(--text)', 'circle'), isHollow: true },
  'as-expected': solid('var(--text)', 'circle'),
}

/** The style of a state; null: not judged yet, drawn like a run without history. */
export const stateStyle = (state: JudgedState | null): StateStyle => styles[state ?? 'no-history']
