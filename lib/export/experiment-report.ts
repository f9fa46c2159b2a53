import { progressWords, shownWord } from '../experiment/running-words'
import type { ExperimentProgress, StoredExperiment } from '../experiment/stored-experiment'
import { formatPercent, plural } from '../format'
import { roundRows } from './experiment-rounds'
import { markdownTable, markdownWords } from './markdown-table'

/** An experiment and what its runs show. */
interface Reported {
  readonly experiment: StoredExperiment
  readonly progress: ExperimentProgress
}

/** An experiment as Markdown: what it shows, what that rests on, and its rounds, newest first. */
export function experimentReport({ experiment, progress }: Reported): readonly string[] {
  const { question, number, id, base, head, hasControl, createdAt } = experiment
  const { plan, metric } = progress
  const { word, sentence, notes, next } = progressWords(progress)
  const { heads, rows } = roundRows(progress)
  const control = hasControl ? 'base again as a control' : 'no control'
  return [
    `# ${markdownWords(question)}`,
    '',
    `**${shownWord(word)}**: ${sentence}.`,
    '',
    ...notes.map((note) => `- ${note}.`),
    ...(next === null ? [] : [`- ${next}.`]),
    '',
    `Experiment ${number} (${id}), planned ${createdAt.slice(0, 16).replace('T', ' ')} UTC: base ${markdownWords(base)}, head ${markdownWords(head)}, ${control}. ${metric.label} decides; ${formatPercent(plan.smallestRatio)} matters; at most ${plural(plan.maxRounds, 'round')}.`,
    ...(rows.length === 0
      ? []
      : [
          '',
          markdownTable({
            head: ['Round', 'Order', ...heads, 'Head against base', 'Note'],
            rows: rows.map(({ round, order, cells, change, note }) => [
              String(round),
              order,
              ...cells.map(({ text }) => text),
              change,
              note,
            ]),
          }).trimEnd(),
        ]),
  ]
}

/** An experiment in a line. */
export function experimentLine({ experiment, progress }: Reported): string {
  const { id, question } = experiment
  const { word, sentence } = progressWords(progress)
  return `- ${id} · ${word} · ${markdownWords(question)} · ${sentence}.`
}
