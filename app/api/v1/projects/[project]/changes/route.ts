export { watchChanges as GET } from '@/app/_server/operations/changes'
