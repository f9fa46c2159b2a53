import { InvalidInputError } from '@/lib/errors'
import { projectEditsSchema } from '@/lib/project/project-settings'
import * as projects from '@/prisma/queries/projects/projects'
import { projectAnswer } from '../answers/project-answers'
import { conflict, json, list, nothing, p } from './operation'
import { createProjectSchema, slugFrom } from '../schemas'
import { operation, projectOperation } from './project-operation'

const answer = json('The project.', projectAnswer)

export const listProjects = operation(
  {
    at: 'GET /api/v1/projects',
    summary: 'List projects',
    needs: 'projects',
    answers: { 200: list('The projects that the account may read.', 'projects', projectAnswer) },
  },
  async ({ viewer }) => ({ projects: await projects.listProjects(viewer) }),
)

export const createProject = operation(
  {
    at: 'POST /api/v1/projects',
    summary: 'Create a project',
    needs: 'account',
    audit: 'project.create',
    body: createProjectSchema,
    answers: { 201: answer },
    problems: conflict,
  },
  async ({ viewer, body, note }) => {
    const slug = body.slug ?? slugFrom(body.name)
    if (slug === null)
      throw new InvalidInputError('The name contains no letter or digit; provide a slug.', { field: 'slug' })
    const project = await projects.createProject(viewer, { slug, name: body.name })
    note({ project: project.slug, name: project.name })
    return project
  },
)

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
    summary: 'Delete a project and everything in it',
    needs: 'administer',
    audit: 'project.delete',
    answers: nothing,
  },
  ({ project }) => projects.deleteProject(project),
)
