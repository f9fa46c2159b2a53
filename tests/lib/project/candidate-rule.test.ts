import { expect, it } from 'vitest'
import { isCandidateBy } from '@/lib/project/candidate-rule'

it('makes a run a candidate if its label has another value, never without the label', () => {
  const rule = { label: 'branch', isNot: 'main' }
  expect(isCandidateBy(rule, { branch: 'fix-cart' })).toBe(true)
  expect(isCandidateBy(rule, { branch: '' })).toBe(true)
  expect(isCandidateBy(rule, { branch: 'main', commit: 'abc' })).toBe(false)
  expect(isCandidateBy(rule, { commit: 'abc' })).toBe(false)
  expect(isCandidateBy({ label: 'constructor', isNot: '' }, {})).toBe(false)
  expect(isCandidateBy(null, { branch: 'fix-cart' })).toBe(false)
})
