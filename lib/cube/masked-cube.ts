import { maskSecrets } from '../secrets'
import { maxValues, type Cube } from './cube'
import { joinValues } from './join-values'

/** A cube without likely secrets in the names of its values; those that are equal then are one, of `mostKept`. */
export function maskedCube(cube: Cube, mostKept = maxValues): Cube {
  const attributes = cube.attributes.map((attribute) => {
    const values = attribute.values.map((one) => ({ ...one, value: maskSecrets(one.value).text }))
    if (values.every(({ value }, at) => value === attribute.values[at]?.value)) return attribute
    const joined = joinValues(values, mostKept)
    return { ...attribute, values: joined.values, restValues: Math.max(attribute.restValues, joined.restValues) }
  })
  return { ...cube, attributes }
}
