import { leadingLatency } from '@/lib/run/figures'
import type { Latency } from '@/lib/run/run'
import type { StoredRun } from '@/lib/run/stored'

/** What can be saved of a run: its file, all of it as JSON, and the parts that its samples give. `of`: shown latencies. */
export function RunDownloads({ run, of }: { run: StoredRun; of: Latency['of'] | null }) {
  const project = `/api/v1/projects/${run.projectSlug}`
  const files = `${project}/runs/${run.id}/files`
  const { imported } = run
  const shown = imported.latencies.find((latency) => latency.of === of) ?? leadingLatency(imported)
  const links = [
    {
      name: 'Download file',
      href: `${project}/uploads/${run.uploadId}/raw`,
      isThere: run.upload.rawRemovedAt === null,
    },
    { name: 'Percentiles CSV', href: `${files}/percentiles.csv`, isThere: imported.latencies.length > 0 },
    { name: 'Timeline CSV', href: `${files}/timeline.csv`, isThere: imported.timeline !== null },
    { name: 'Targets CSV', href: `${files}/targets.csv`, isThere: imported.targets !== null },
    { name: 'HDR .hgrm', href: `${files}/latency-ms.hgrm?of=${shown?.of}`, isThere: shown?.histogram?.kind === 'hdr' },
  ]
  return (
    <>
      {links
        .filter(({ isThere }) => isThere)
        .map(({ name, href }) => (
          <a key={name} className="button" href={href} download>
            {name}
          </a>
        ))}
      <a className="button" href={`${project}/runs/${run.id}`} download={`run-${run.id}.json`}>
        Download JSON
      </a>
    </>
  )
}
