import { Banner, Button, useTranslate } from '@parquetry/ui'
import { isGrant } from './grants.ts'
import type { PermissionPair } from './permission-texts.ts'

/** Permissions that a visitor needs to open dashboards; the data is granted separately. */
const visitorPairs = new Set([
  'can_read Dashboard',
  'can_dashboard Superset',
  'can_dashboard_permalink Superset',
  'can_read DashboardPermalinkRestApi',
  'can_read DashboardFilterStateRestApi',
  'can_read Chart',
  'can_read Dataset',
  'can_read Explore',
  'menu_access Dashboards',
])

/** Permissions that "Let visitors open dashboards" adds. */
export const isForVisitors = ({ name, view }: PermissionPair): boolean => visitorPairs.has(`${name} ${view}`)

interface PublicAccessProps {
  /** Stored permissions of the role Public. */
  permissions: readonly PermissionPair[]
  /** Adds what visitors need to open dashboards; undefined while that cannot be changed. */
  onOpen: (() => void) | undefined
  /** Removes all permissions and data. */
  onClose: (() => void) | undefined
}

/** Says what visitors can do without an account, and turns that on and off. Changes take effect when the role is saved. */
export function PublicAccess({ permissions, onOpen, onClose }: PublicAccessProps) {
  const t = useTranslate()
  const grants = permissions.filter(isGrant).length
  const isOn = permissions.length > 0
  return (
    <Banner
      inline
      tone={isOn ? 'warning' : 'info'}
      action={
        isOn
          ? onClose && <Button onClick={onClose}>{t('roles.public.close', 'Turn off')}</Button>
          : onOpen && <Button onClick={onOpen}>{t('roles.public.dashboards', 'Let visitors open dashboards')}</Button>
      }
    >
      {isOn
        ? t(
            'roles.public.opens',
            'Anonymous access is on: anyone who can reach this server has {features, plural, =0 {no permission} one {# permission} other {# permissions}} and reads {grants, plural, =0 {no data} one {# database, schema or dataset} other {# databases, schemas and datasets}}, without an account.',
            { features: permissions.length - grants, grants },
          )
        : t(
            'roles.public.closed',
            'Anonymous access is off: without an account, visitors see only the sign-in page. To turn it on, let them open dashboards, choose their data under “Data access”, and save.',
          )}
    </Banner>
  )
}
