'use client'

import type { ProjectSummary } from '@/lib/project/stored-projects'
import { settingLimits } from '@/lib/project/setting-limits'
import type { ChoiceOption } from '../forms/choice'
import type { FormField } from '../forms/fields'
import { SaveForm } from '../forms/save-form'
import styles from './settings.module.css'
import { Section } from './settings-section'

type Project = Pick<ProjectSummary, 'slug' | 'name' | 'repositoryUrl' | 'candidateRule' | 'judgedWindow'>

const windows: readonly ChoiceOption<Project['judgedWindow']>[] = [
  { value: 'whole', name: 'Whole runs' },
  { value: 'steady', name: 'Steady parts, after warm-up' },
]

const fieldsOf = ({ name, repositoryUrl, judgedWindow }: Project) =>
  ({
    general: [
      { name: 'name', label: 'Name of the project', defaultValue: name, required: true, maxLength: settingLimits.name },
      {
        name: 'repositoryUrl',
        label: 'URL of the repository',
        type: 'url',
        placeholder: 'https://github.com/owner/name',
        pattern: 'https://.*',
        defaultValue: repositoryUrl ?? '',
        maxLength: settingLimits.repositoryUrl,
      },
    ],
    warmUp: [
      { name: 'judgedWindow', label: 'Series are judged by', isBare: true, options: windows, initial: judgedWindow },
    ],
  }) satisfies Readonly<Record<string, readonly FormField[]>>

/**
 * The name of a project (its address stays), where its commits are shown, which of its runs join no series, and by
 * which part runs are judged.
 */
export function ProjectDetails({ project }: { readonly project: Project }) {
  const url = `/api/v1/projects/${project.slug}`
  const fields = fieldsOf(project)
  return (
    <>
      <Section of="general">
        <SaveForm
          url={url}
          body={(text) => ({ name: text('name'), repositoryUrl: text('repositoryUrl') || null })}
          className={styles.row}
          explain="The address of the project stays when its name changes. Commits of alerts and labels link to /commit/… below the URL of the repository. Empty: no links."
          fields={fields.general}
        />
      </Section>
      <Section of="candidates">
        <CandidateRule url={url} rule={project.candidateRule} />
      </Section>
      <Section of="warm-up">
        <SaveForm
          url={url}
          body={(text) => ({ judgedWindow: text('judgedWindow') })}
          className={`row wrap gap-8 ${styles.rule}`}
          explain="Trends, alerts and judgements by steady parts use mean, p50, p90, p95, p99, max and throughput after warm-up, where every run of a series has samples and a steady part; else whole runs. A change judges all series again."
          fields={fields.warmUp}
        />
      </Section>
    </>
  )
}

/** Which new runs are judged against their series without joining it. */
function CandidateRule({ url, rule }: { readonly url: string; readonly rule: Project['candidateRule'] }) {
  return (
    <SaveForm
      url={url}
      body={(text) => ({
        candidateRule: text('label') === '' ? null : { label: text('label'), isNot: text('isNot') },
      })}
      className={`row wrap gap-8 ${styles.rule}`}
      explain={
        <>
          A candidate is judged against its series and never joins it. The rule applies to new uploads, by the labels
          that runs are saved with: those without the label join their series, and <code>candidate=1</code> or{' '}
          <code>candidate=0</code> in an upload wins. Runs that are there stay as they are. Empty: no rule.
        </>
      }
    >
      Runs are candidates when label
      <input
        name="label"
        className="input"
        aria-label="Label of the rule"
        placeholder="branch"
        defaultValue={rule?.label ?? ''}
        maxLength={settingLimits.label}
      />
      is not
      <input
        name="isNot"
        className="input"
        aria-label="Value of runs that join their series"
        placeholder="main"
        defaultValue={rule?.isNot ?? ''}
        maxLength={settingLimits.labelValue}
      />
    </SaveForm>
  )
}
