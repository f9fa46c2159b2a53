import { maskSecrets } from '../secrets'
import type { Cube } from './cube'
import { joinValues } from './join-values'

/** A cube without likely secrets in the names of its values; those that are equal then are one. */
export function maskedCube(cube: Cube): Cube {
  const attributes = cube.attributes.map((attribute) => {
    const values = attribute.values.map((one) => ({ ...one, value: maskSecrets(one.value).text }))
    if (values.every(({ value }, at) => value === attribute.values[at]?.value)) return attribute
    const joined = joinValues(values)
    return { ...attribute, values: joined.values, restValues: Math.max(attribute.restValues, joined.restValues) }
  })
  return { ...cube, attributes }
}
