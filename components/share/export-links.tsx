const files = [
  ['comparison.md', 'Markdown page'],
  ['table.md', 'Table (Markdown)'],
  ['data.csv', 'CSV'],
  ['data.json', 'JSON'],
  ['chart.svg', 'Chart (SVG)'],
  ['chart.png', 'Chart (PNG)'],
  ['comparison.html', 'HTML page'],
] as const

interface Props {
  /** Address of the files without their names. */
  readonly base: string
  /** The view, without `?`. */
  readonly query: string
  /** Whether there is a percentile: without one there is no drawing to export. */
  readonly hasChart: boolean
}

/** The files of a comparison for its owner, as entries of a menu. */
export function ExportLinks({ base, query, hasChart }: Props) {
  const offered = files.filter(([file]) => hasChart || !file.startsWith('chart'))
  return (
    <>
      <p>Export</p>
      {offered.map(([file, label]) => (
        <a
          key={file}
          href={`${base}/${file}${query === '' ? '' : `?${query}`}`}
          download={file.startsWith('chart') ? undefined : ''}
          data-command={`Export: ${label}`}
        >
          {label}
        </a>
      ))}
    </>
  )
}
