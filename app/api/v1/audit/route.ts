export { listAudit as GET } from '@/app/_server/operations/accounts/audit'
