import { PageBar } from '../shell/page-bar'
import styles from './settings-bar.module.css'
import { SettingsTabs, type SettingsPage } from './settings-tabs'

interface Props {
  readonly project: { readonly slug: string; readonly name: string }
  readonly here: SettingsPage
}

/** The head of every settings page: the current page, and links to the others. */
export function SettingsBar({ project, here }: Props) {
  const crumbs = here === 'Settings' ? [] : [{ name: 'Settings', href: `/p/${project.slug}/settings` }]
  return (
    <>
      <PageBar project={project} crumbs={crumbs} here={here} isHeading />
      <div className={styles.tabs}>
        <SettingsTabs slug={project.slug} here={here} />
      </div>
    </>
  )
}
