import { PageBar } from '../shell/page-bar'
import { Tabs } from '../ui/tabs'
import styles from './settings-bar.module.css'

const pages = [
  { name: 'General', path: 'settings' },
  { name: 'Rules', path: 'rules' },
  { name: 'Notification channels', path: 'channels' },
  { name: 'Uploads', path: 'uploads' },
  { name: 'Trash', path: 'trash' },
] as const

interface Props {
  readonly project: { readonly slug: string; readonly name: string }
  readonly here: (typeof pages)[number]['name']
}

/** The head of every page of the settings: where it is, and the others. */
export function SettingsBar({ project, here }: Props) {
  const tabs = pages.map(({ name, path }) => ({ name, href: `/p/${project.slug}/${path}`, isHere: name === here }))
  const crumbs = here === 'General' ? [] : [{ name: 'Settings', href: `/p/${project.slug}/settings` }]
  return (
    <>
      <PageBar project={project} crumbs={crumbs} here={here === 'General' ? 'Settings' : here} isHeading />
      <div className={styles.tabs}>
        <Tabs label="Settings" tabs={tabs} />
      </div>
    </>
  )
}
