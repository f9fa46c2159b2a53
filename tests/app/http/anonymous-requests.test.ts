import { expect, it } from 'vitest'
import { countAnonymous, noteKnown } from '@/app/_server/http/anonymous-requests'

const anonymous = { authorization: undefined, cookie: undefined }
const secretOf = (letter: string) => `__Host-tailboard=${letter.repeat(43)}`

it('counts per client, and starts over after a minute', () => {
  let nowMs = 1_000
  const counter = countAnonymous(2, () => nowMs)
  expect([1, 2, 3].map(() => counter.take('a', anonymous))).toEqual([null, null, 60])
  expect(counter.take('b', anonymous)).toBeNull()
  nowMs += 59_500
  expect(counter.take('a', anonymous)).toBe(1)
  nowMs += 500
  expect(counter.take('a', anonymous)).toBeNull()
})

it('counts a credential until it has proved valid', () => {
  const counter = countAnonymous(1)
  const [known, other] = [
    { ...anonymous, cookie: secretOf('k') },
    { ...anonymous, cookie: secretOf('o') },
  ]
  expect([counter.take('c', known), counter.take('c', known)]).toEqual([null, 60])
  noteKnown(new Headers({ cookie: known.cookie }))
  expect(counter.take('c', known)).toBeNull()
  expect(counter.take('c', other)).toBe(60)
  expect(counter.take('c', { ...known, authorization: 'Bearer x' })).toBe(60)
})

it('prefers the token if a request has both a token and a session', () => {
  const counter = countAnonymous(1)
  const headers = { authorization: 'Bearer y', cookie: secretOf('z') }
  noteKnown(new Headers(headers))
  counter.take('d', anonymous)
  expect(counter.take('d', headers)).toBeNull()
  expect(counter.take('d', { ...headers, authorization: undefined })).toBe(60)
})
