'use client'

import { useRouter } from 'next/navigation'
import type { ShareSummary } from '@/lib/project/stored-shares'
import { callApi } from '../ui/call-api'
import { useMay } from '../ui/may'
import { announce, announceFailure } from '../ui/toasts'
import styles from './shares-table.module.css'

interface Props extends Pick<ShareSummary, 'id' | 'name' | 'embeddable'> {
  readonly slug: string
}

/** Whether pages of other sites may show a share in a frame: said, and changed at once. */
export function EmbedChoice({ slug, id, name, embeddable }: Props) {
  const router = useRouter()
  const mayEdit = useMay('edit')
  const change = async (isAllowed: boolean) => {
    try {
      await callApi('PATCH', `/api/v1/projects/${slug}/shares/${id}`, { embeddable: isAllowed })
      announce(isAllowed ? `Other sites may embed “${name}”` : `Other sites may no longer embed “${name}”`)
    } catch (error) {
      announceFailure(error)
    }
    router.refresh()
  }
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        key={String(embeddable)}
        disabled={!mayEdit}
        defaultChecked={embeddable}
        aria-label={`Allow other sites to embed ${name}`}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {embeddable ? 'allowed' : 'not allowed'}
    </label>
  )
}
