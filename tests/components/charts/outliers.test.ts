import { expect, it } from 'vitest'
import { withoutOutliers } from '@/components/charts/axes/outliers'

const around = Array.from({ length: 30 }, (_, at) => 100 + (at % 7))
const least = (largest: number) => 0.15 * largest
const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)]

it('leaves out what is farther from the others than these are from each other, a few at each end', () => {
  expect(ends(withoutOutliers([...around, 180], [103], least))).toEqual([100, 106])
  expect(ends(withoutOutliers([20, ...around, 180], [103], least))).toEqual([100, 106])
  // Near, the newest, or a level of its own: on the axis.
  expect(ends(withoutOutliers([...around, 118], [103], least))).toEqual([100, 118])
  expect(ends(withoutOutliers([...around, 180], [180], least))).toEqual([100, 180])
  expect(ends(withoutOutliers([...around, 180, 181, 182, 183], [103], least))).toEqual([100, 183])
  expect(ends(withoutOutliers([100, 101, 180], [100], least))).toEqual([100, 180])
})
