import { cache } from 'react'
import { listProjectNames } from '@/prisma/queries/projects/projects'
import { currentViewer } from './http/current-viewer'

/** The projects of the viewer, read once per request: the frame lists them, and each page finds its own there. */
export const pageProjects = cache(async () => listProjectNames(await currentViewer()))
