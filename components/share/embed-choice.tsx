'use client'

import type { ShareSummary } from '@/lib/project/stored-shares'
import { useAnnouncedAction } from '../ui/actions/action'
import { callApi } from '../ui/actions/call-api'
import { useIsAllowed } from '../ui/actions/access'
import styles from './shares-table.module.css'

interface Props extends Pick<ShareSummary, 'id' | 'name' | 'embeddable'> {
  readonly slug: string
}

/** Whether pages of other sites may show a share in a frame: shown, and changed at once. */
export function EmbedChoice({ slug, id, name, embeddable }: Props) {
  const { act } = useAnnouncedAction()
  const mayEdit = useIsAllowed('edit')
  const change = (isAllowed: boolean) =>
    act(async () => {
      await callApi('PATCH', `/api/v1/projects/${slug}/shares/${id}`, { embeddable: isAllowed })
      return isAllowed ? `Other sites may embed “${name}”` : `Other sites may no longer embed “${name}”`
    })
  return (
    <label className={`inline-row gap-8 ${styles.choice}`}>
      <input
        type="checkbox"
        key={String(embeddable)}
        disabled={!mayEdit}
        defaultChecked={embeddable}
        aria-label={`Allow other sites to embed ${name}`}
        // A refused change shows the current setting.
        onChange={({ currentTarget }) => {
          void change(currentTarget.checked)
          currentTarget.checked = embeddable
        }}
      />
      {embeddable ? 'allowed' : 'not allowed'}
    </label>
  )
}
