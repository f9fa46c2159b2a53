import type { JudgedState } from '@/lib/run/judged-states'

/** Words that have the shape of a judgement; the others are open. */
const states: Readonly<Record<string, JudgedState>> = {
  worse: 'worse',
  failing: 'failing',
  better: 'better',
  'the same': 'as-expected',
  unproven: 'unusual',
}

/** The shape and colour of what an experiment shows, by its word. */
export const stateOfWord = (word: string): JudgedState => states[word] ?? 'no-history'
