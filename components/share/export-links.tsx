const files = [
  ['comparison.md', 'Markdown page'],
  ['table.md', 'Table (Markdown)'],
  ['data.csv', 'CSV'],
  ['data.json', 'JSON'],
  ['chart.svg', 'Chart (SVG)'],
  ['chart.png', 'Chart (PNG)'],
  ['comparison.html', 'HTML page'],
] as const

/** The files of a comparison for its owner. `base`: their address without name; `query`: the view, without `?`. */
export function ExportLinks({ base, query }: { readonly base: string; readonly query: string }) {
  return (
    <p className="muted">
      Take away:{' '}
      {files.map(([file, label], at) => (
        <span key={file}>
          {at > 0 && ' · '}
          <a
            href={`${base}/${file}${query === '' ? '' : `?${query}`}`}
            download={file.startsWith('chart') ? undefined : ''}
            data-command={`Take away: ${label}`}
          >
            {label}
          </a>
        </span>
      ))}
    </p>
  )
}
