import { useTranslate } from '../theme/i18n.ts'
import { Link } from '../theme/navigation.tsx'
import styles from './PageHeader.module.css'

export interface Crumb {
  label: string
  href: string
}

/** Links to the parents of the page. The page title follows as the heading; a middle link collapses to an ellipsis. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  const t = useTranslate()
  if (crumbs.length === 0) return null
  return (
    <nav aria-label={t('ui.breadcrumb.label', 'Breadcrumb')} className={styles.crumbs}>
      <ol>
        {crumbs.map((crumb, index) => (
          <li key={crumb.href}>
            <Link href={crumb.href} title={crumb.label}>
              {crumbs.length > 2 && index > 0 && index < crumbs.length - 1 ? '…' : crumb.label}
            </Link>
            <span aria-hidden="true">/</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}
