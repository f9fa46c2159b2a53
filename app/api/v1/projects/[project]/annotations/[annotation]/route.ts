export { deleteAnnotation as DELETE } from '@/app/_server/operations/annotations'
