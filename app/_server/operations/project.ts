import * as projects from '@/prisma/queries/projects'
import { projectAnswer } from '../answers/project-answers'
import { conflict, json, nothing, p } from './operation'
import { projectEditsSchema } from '../schemas'
import { projectOperation } from './project-operation'

const answer = json('The project.', projectAnswer)

export const getProject = projectOperation(
  {
    at: `GET ${p}`,
    summary: 'Read a project',
    needs: 'read',
    answers: { 200: answer },
  },
  ({ project }) => projects.getProject(project.viewer, project.slug),
)

export const editProject = projectOperation(
  {
    at: `PATCH ${p}`,
    summary: 'Edit a project',
    needs: 'administer',
    audit: 'project.update',
    body: projectEditsSchema,
    answers: { 200: answer },
  },
  ({ project, body }) => projects.editProject(project, body),
)

export const deleteProject = projectOperation(
  {
    at: `DELETE ${p}`,
    summary: 'Delete a project with all that is in it',
    needs: 'administer',
    audit: 'project.delete',
    answers: nothing,
    problems: conflict,
  },
  ({ project }) => projects.deleteProject(project),
)
