'use client'

import { isOffered, settingsPages } from '../shell/destinations'
import { useAccess } from '../ui/actions/access'
import { Tabs } from '../ui/tabs'

export type SettingsPage = (typeof settingsPages)[number]['name']

/** The pages of the settings that the viewer may see. */
export function SettingsTabs({ slug, here }: { readonly slug: string; readonly here: SettingsPage }) {
  const access = useAccess()
  const tabs = settingsPages
    .filter((page) => isOffered(page, access))
    .map(({ name, path }) => ({ name, href: `/p/${slug}/${path}`, isHere: name === here }))
  return <Tabs label="Settings" tabs={tabs} />
}
