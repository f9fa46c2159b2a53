import type { z } from 'zod'
import type { experimentAnswer } from '@/app/_server/answers/experiment-answer'
import { experimentFact, factKey } from '@/lib/run/fact'
import { plain, said, type Seen } from './rules/seen'

type Answer = z.infer<typeof experimentAnswer>

/** An experiment as the API says it. */
export const factsOfExperiment = (surface: string, { id, spent, ...answer }: Answer): readonly Seen[] => {
  const fact = experimentFact(id, { ...answer, rounds: spent.rounds })
  const [last] = answer.evaluations.slice(-1)
  const isJudgedByLast = last !== undefined && last.rounds === spent.rounds && answer.effect !== null
  const { effectRatio: effect, low, high } = last ?? { effectRatio: null, low: null, high: null }
  return [
    said(surface, fact),
    ...(isJudgedByLast ? [said(surface, { key: fact.key, value: { effect, low, high } })] : []),
  ]
}

/** The same as Markdown; its sentence has the interval of one that ended. */
export function factsOfReport(surface: string, answer: Answer, text: string): readonly Seen[] {
  const [, word = '', sentence = ''] = /^\*\*(.+?)\*\*: (.+)\.$/m.exec(text) ?? []
  return factsOfSentence(surface, answer, word.toLowerCase(), sentence)
}

/** A line of the list for agents. */
export function factsOfLine(surface: string, answer: Answer, text: string): readonly Seen[] {
  const line = text.split('\n').find((one) => one.startsWith(`- ${answer.id} `)) ?? ''
  const [, word = '', , sentence = ''] = line.split(' · ')
  return factsOfSentence(surface, answer, word, sentence.replace(/\.$/, ''))
}

function factsOfSentence(surface: string, { id, effect }: Answer, verdict: string, sentence: string): readonly Seen[] {
  const key = factKey('experiment', id)
  const interval = /\(([^()]+ to [^()]+)\)/.exec(plain(sentence))?.[1]
  return [
    said(surface, { key, value: { verdict, sentence: plain(sentence) } }),
    ...(interval === undefined || effect === null || !sentence.includes(' of head ')
      ? []
      : [said(surface, { key, value: { low: effect.low, high: effect.high } }, 'interval', interval)]),
  ]
}
