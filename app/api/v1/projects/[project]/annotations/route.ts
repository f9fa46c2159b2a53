export { addAnnotation as POST, listAnnotations as GET } from '@/app/_server/operations/annotations'
