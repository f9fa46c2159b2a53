import { fitted } from './fit'
import type { Mark, Plot } from './model'

/** Series that the reader left out, by id. */
export interface Hidden {
  readonly ids: ReadonlySet<string>
  /** One was isolated: the lines of the others stay as shadows. */
  readonly isShadow: boolean
}

/**
 * What a choice in a legend hides: `own` are the series of the entry, `all` those of the legend. `isAlone` hides or
 * shows the entry; otherwise it is isolated, or all are shown again if it already is.
 */
export function hiddenAfter(
  { ids, isShadow }: Hidden,
  own: readonly string[],
  all: readonly string[],
  isAlone: boolean,
): Hidden {
  const others = all.filter((id) => !own.includes(id))
  if (isAlone) {
    const isShown = own.some((id) => !ids.has(id))
    return { ids: new Set(isShown ? [...ids, ...own] : [...ids].filter((id) => !own.includes(id))), isShadow: false }
  }
  const isIsolated = isShadow && others.every((id) => ids.has(id)) && own.every((id) => !ids.has(id))
  return { ids: new Set(isIsolated ? [] : others), isShadow: !isIsolated }
}

/**
 * The plot without the marks of hidden series, fitted to the others. Marks keep their positions, since others refer to
 * them. All hidden: all are shown.
 */
export function withoutHidden(plot: Plot, { ids, isShadow }: Hidden): Plot {
  if (ids.size === 0 || plot.series.every(({ id }) => ids.has(id))) return plot
  const left = (mark: Mark): Mark => {
    if (!ids.has(plot.series[mark.series]?.id ?? '')) return mark
    return isShadow && mark.kind === 'line' ? shadowOf(mark) : noMark(mark)
  }
  return {
    ...plot,
    panels: plot.panels.map((panel) => fitted({ ...panel, marks: panel.marks.map(left) })),
  }
}

const shadowOf = ({ fadedFrom: _, ...mark }: Extract<Mark, { kind: 'line' }>): Mark => ({
  ...mark,
  width: 1.5,
  isShadow: true,
})

/** In place of a mark that is not drawn. */
export const noMark = ({ series }: Mark): Mark => ({ kind: 'line', series, at: [], y: [], width: 0, reads: 'exact' })
