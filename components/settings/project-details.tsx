import type { ProjectSummary } from '@/lib/run/stored'
import { RenameProject } from '../projects/rename-project'
import { CandidateRuleForm } from './candidate-rule-form'
import { RepositoryForm } from './repository-form'
import { Section } from './settings-section'

interface Props {
  readonly project: Pick<ProjectSummary, 'slug' | 'name' | 'repositoryUrl' | 'candidateRule'>
}

/** What a project is called, where its commits are seen, and which of its runs join no series. */
export function ProjectDetails({ project: { slug, name, repositoryUrl, candidateRule } }: Props) {
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
    </>
  )
}
