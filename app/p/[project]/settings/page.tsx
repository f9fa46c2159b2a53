import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { requestOrigin } from '@/app/_server/http/request-origin'
import { MembersView } from '@/components/account/members-view'
import { ChannelsView } from '@/components/channels/channels-view'
import { DeleteProject } from '@/components/projects/delete-project'
import { RulesList } from '@/components/rules/rules-list'
import { ProjectDetails } from '@/components/settings/project-details'
import { EnvironmentsList } from '@/components/environment/environments-list'
import { RetentionForm } from '@/components/settings/retention-form'
import { SettingsBar } from '@/components/settings/settings-bar'
import { SettingsSections } from '@/components/settings/settings-sections'
import { Section } from '@/components/settings/settings-section'
import { CurlLine } from '@/components/ui/actions/curl-line'
import { openProject } from '../open-project'
import { loadSettings } from './load-settings'

type Props = { params: Promise<{ project: string }> }

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage({ params }: Props) {
  const opened = await openProject((await params).project)
  const { slug } = opened.project
  const { retention, summary, environments, rules, channels, members } = await loadSettings(opened)
  return (
    <>
      <SettingsBar project={opened.project} here="Settings" />
      <SettingsSections>
        <ProjectDetails project={summary} />
        <Section of="environments">
          <EnvironmentsList {...environments} />
        </Section>
        <Section of="rules">
          <RulesList {...rules} />
        </Section>
        <Section of="channels">
          <ChannelsView {...channels} />
        </Section>
        {members !== null && (
          <Section of="members">
            <MembersView {...members} />
          </Section>
        )}
        <Section of="retention">
          <RetentionForm slug={slug} retention={retention} />
        </Section>
        <Section of="terminal">
          <CurlLine origin={requestOrigin(await headers())} slug={slug} />
        </Section>
        <Section of="delete">
          <DeleteProject slug={slug} runCount={summary.runCount} />
        </Section>
      </SettingsSections>
    </>
  )
}
