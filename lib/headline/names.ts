import { joinWords } from '../text'

/**
 * Joins names; words that they all begin or end with occur once: `gzipped 300kb payload` and `gzipped 350kb payload`
 * become `gzipped 300kb and 350kb payload`.
 */
export function joinNames(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  const words = names.map((name) => name.split(' '))
  const shortest = Math.min(...words.map(({ length }) => length))
  const isShared = (place: number) => words.every((own) => own.at(place) === words[0]?.at(place))
  let before = 0
  while (before < shortest - 1 && isShared(before)) before += 1
  let after = 0
  while (after < shortest - 1 - before && isShared(-1 - after)) after += 1
  const own = words.map((all) => all.slice(before, all.length - after).join(' '))
  const [first = []] = words
  return [...first.slice(0, before), joinWords(own, 'and'), ...first.slice(first.length - after)].join(' ')
}
