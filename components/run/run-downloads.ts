import { leadingLatency } from '@/lib/run/figures'
import type { Latency } from '@/lib/run/run'
import type { StoredRun } from '@/lib/history/stored-runs'

/** A downloadable file of a run. */
export interface Download {
  readonly name: string
  readonly href: string
  /** Its file name; absent: the server's. */
  readonly fileName?: string
}

/** Downloads of a run: its file, all of it as JSON, and the parts that its samples give. `of`: shown latencies. */
export function downloadsOf(run: StoredRun, of: Latency['of'] | null): readonly Download[] {
  const project = `/api/v1/projects/${run.projectSlug}`
  const files = `${project}/runs/${run.id}/files`
  const { imported } = run
  const shown = imported.latencies.find((latency) => latency.of === of) ?? leadingLatency(imported)
  const links = [
    {
      name: 'Download raw file',
      href: `${project}/uploads/${run.uploadId}/raw`,
      isThere: run.upload.rawRemovedAt === null,
    },
    { name: 'Export percentiles as CSV', href: `${files}/percentiles.csv`, isThere: imported.latencies.length > 0 },
    { name: 'Export timeline as CSV', href: `${files}/timeline.csv`, isThere: imported.timeline !== null },
    { name: 'Export targets as CSV', href: `${files}/targets.csv`, isThere: imported.targets !== null },
    {
      name: 'Export HDR histogram (.hgrm)',
      href: `${files}/latency-ms.hgrm?of=${shown?.of}`,
      isThere: shown?.histogram?.kind === 'hdr',
    },
  ]
  return [
    ...links.flatMap(({ name, href, isThere }) => (isThere ? [{ name, href }] : [])),
    { name: 'Export as JSON', href: `${project}/runs/${run.id}`, fileName: `run-${run.id}.json` },
  ]
}
