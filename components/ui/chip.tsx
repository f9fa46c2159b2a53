import Link from 'next/link'

/** Labels as chips, `key=value`; with `hrefOf` each is a link (to the runs that carry it). Nothing when there are none. */
export function LabelChips({
  labels,
  hrefOf,
}: {
  labels: Readonly<Record<string, string>>
  hrefOf?: (key: string, value: string) => string
}) {
  const entries = Object.entries(labels)
  if (entries.length === 0) return null
  return (
    <span className="chips">
      {entries.map(([key, value]) =>
        hrefOf ? (
          <Link key={key} className="chip" href={hrefOf(key, value)} title={`Runs with ${key}=${value}`}>
            {key}={value}
          </Link>
        ) : (
          <span key={key} className="chip">
            {key}={value}
          </span>
        ),
      )}
    </span>
  )
}
