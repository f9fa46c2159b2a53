export { listProjectAudit as GET } from '@/app/_server/operations/accounts/audit'
