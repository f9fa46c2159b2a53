/** The names of a merged run and how it counts. */
export interface MergedNames {
  readonly scenario: string
  readonly variant: string | null
  readonly environment: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly notes: string
  readonly candidate: boolean
  readonly counted: boolean | null
}

/**
 * The names that the parts share. A scenario is always required: if they differ, the alphabetically first one. A
 * candidate among the parts keeps the whole out of its series.
 */
export function mergedNames(parts: readonly MergedNames[]): MergedNames {
  const same = <Value>(of: (part: MergedNames) => Value): Value | null => {
    const [first] = parts
    return first !== undefined && parts.every((part) => of(part) === of(first)) ? of(first) : null
  }
  const [first] = parts
  const labels = Object.entries(first?.labels ?? {}).filter(([key, value]) =>
    parts.every((part) => part.labels[key] === value),
  )
  return {
    scenario: same(({ scenario }) => scenario) ?? parts.map(({ scenario }) => scenario).sort()[0] ?? '',
    variant: same(({ variant }) => variant),
    environment: same(({ environment }) => environment),
    labels: Object.fromEntries(labels),
    notes: [...new Set(parts.map(({ notes }) => notes.trim()))].filter((notes) => notes !== '').join('\n\n'),
    candidate: parts.some(({ candidate }) => candidate),
    counted: same(({ counted }) => counted),
  }
}

/**
 * Names that distinguish the parts for readers: the upload's name, or the file's in an archive, plus the run's place in
 * its upload if several share that name.
 */
export function partNames(
  parts: readonly { readonly indexInUpload: number; readonly uploadName: string; readonly file: string | null }[],
): readonly string[] {
  const files = parts.map(({ uploadName, file }) => file ?? uploadName)
  return parts.map(({ indexInUpload }, at) => {
    const file = files[at] ?? ''
    return files.indexOf(file) === files.lastIndexOf(file) ? file : `${file}, run ${indexInUpload + 1}`
  })
}
