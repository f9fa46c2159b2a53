import type { ImportedFile, ImportedRun, ImportProblem } from '../../lib/run/run'

/** The place of a text in a file, by the text's own lines. */
export interface Place {
  /** The first line of the file that a line of the text belongs to, 1-based. */
  lineOf(line: number): number
  /** The last one. */
  endOf(line: number): number
  /** As words: `in cell 3`. `line` null: anywhere. */
  nameOf(line: number | null): string
}

/** The results of a text inside a file, with the file's line numbers instead of its own. */
export function relocate(file: ImportedFile, { lineOf, endOf, nameOf }: Place): ImportedFile {
  const of = (line: number | null) => (line === null ? null : lineOf(line))
  const words = (text: string) => text.replace(/\bline (\d{1,9})\b/g, (_all, line) => `line ${lineOf(Number(line))}`)
  const moved = <Told extends { readonly line: number | null }>(told: Told): Told => ({ ...told, line: of(told.line) })
  const movedFixed = <Told extends { readonly line: number }>(told: Told): Told => ({
    ...told,
    line: lineOf(told.line),
  })
  return {
    ...file,
    runs: file.runs.map((run): ImportedRun => {
      const { context, proposal } = run
      return {
        ...run,
        warnings: run.warnings.map(moved),
        measures: run.measures.map(moved),
        context: {
          ...context,
          lines: [lineOf(context.lines[0]), endOf(context.lines[1])],
          facts: context.facts.map(movedFixed),
          notes: context.notes.map(movedFixed),
        },
        proposal: {
          ...proposal,
          sources: Object.fromEntries(Object.entries(proposal.sources).map(([key, text]) => [key, words(text)])),
        },
      }
    }),
    problems: file.problems.map((problem): ImportProblem => ({
      ...problem,
      line: of(problem.line),
      lastLine: problem.lastLine === null ? null : endOf(problem.lastLine),
      message: `${nameOf(problem.line)}: ${words(problem.message)}`,
    })),
    cellNotes: file.cellNotes.map(movedFixed),
  }
}
