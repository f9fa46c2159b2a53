import type { ProjectSummary } from '@/lib/run/stored'
import { RenameProject } from './rename-project'
import { CandidateRuleForm } from './candidate-rule-form'
import { JudgedWindowForm } from './judged-window-form'
import { RepositoryForm } from './repository-form'
import { Section } from './settings-section'

interface Props {
  readonly project: Pick<ProjectSummary, 'slug' | 'name' | 'repositoryUrl' | 'candidateRule' | 'judgedWindow'>
}

/**
 * The name of a project, where its commits are shown, which of its runs join no series, and by which part runs are
 * judged.
 */
export function ProjectDetails({ project: { slug, name, repositoryUrl, candidateRule, judgedWindow } }: Props) {
  return (
    <>
      <Section title="Name">
        <RenameProject slug={slug} name={name} />
      </Section>
      <Section title="Repository">
        <RepositoryForm slug={slug} url={repositoryUrl} />
      </Section>
      <Section title="Candidates">
        <CandidateRuleForm slug={slug} rule={candidateRule} />
      </Section>
      <Section title="Warm-up">
        <JudgedWindowForm slug={slug} judgedWindow={judgedWindow} />
      </Section>
    </>
  )
}
