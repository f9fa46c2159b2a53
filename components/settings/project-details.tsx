import { RenameProject } from '../projects/rename-project'
import { RepositoryForm } from './repository-form'
import { Section } from './settings-section'

interface Props {
  readonly project: { readonly slug: string; readonly name: string; readonly repositoryUrl: string | null }
}

/** What a project is called, and where its commits are seen. */
export function ProjectDetails({ project: { slug, name, repositoryUrl } }: Props) {
  return (
    <>
      <Section title="Name">
        <RenameProject slug={slug} name={name} />
      </Section>
      <Section title="Repository">
        <RepositoryForm slug={slug} url={repositoryUrl} />
      </Section>
    </>
  )
}
