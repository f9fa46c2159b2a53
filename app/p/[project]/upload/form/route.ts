import { takeForm } from '@/app/_server/uploads/take-form'
import { route } from '@/app/_server/http/respond'

export const POST = route<{ project: string }>((request, { project }) => takeForm(request, project))
