import type { Mark, Series } from './plot/model'

type WithoutSeries<One> = One extends Mark ? Omit<One, 'series'> : never

/** A mark of a layer; dots name their line by its position in the layer. */
export type LayerMark = WithoutSeries<Mark>

/** A series with all of its marks. */
export interface Layer {
  readonly series: Series
  readonly marks: readonly LayerMark[]
}

/** The series and the marks of a panel, the first layer at the bottom. */
export function ofLayers(layers: readonly Layer[]): {
  readonly series: readonly Series[]
  readonly marks: readonly Mark[]
} {
  const marks: Mark[] = []
  layers.forEach((layer, series) => {
    const first = marks.length
    for (const mark of layer.marks)
      marks.push(mark.kind === 'dots' ? { ...mark, series, of: first + mark.of } : { ...mark, series })
  })
  return { series: layers.map(({ series }) => series), marks }
}
