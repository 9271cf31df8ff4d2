import { ErrorPanel, Link, Skeleton, useTranslate, type Translate } from '@parquetry/ui'
import { messageOf } from '../../shared/errors.ts'
import { ownedHref, useOwnedContent, type OwnedContent } from './use-user.ts'
import styles from './users.module.css'

const maxNames = 10

const describeKind = (t: Translate, { kind, count }: OwnedContent): string =>
  ({
    dashboard: t('lists.users.owned.dashboards', '{count, plural, one {# dashboard} other {# dashboards}}', { count }),
    chart: t('lists.users.owned.charts', '{count, plural, one {# chart} other {# charts}}', { count }),
    dataset: t('lists.users.owned.datasets', '{count, plural, one {# dataset} other {# datasets}}', { count }),
    saved_query: t('lists.users.owned.queries', '{count, plural, one {# saved query} other {# saved queries}}', {
      count,
    }),
    database: t('lists.users.owned.databases', '{count, plural, one {# database} other {# databases}}', { count }),
    row_rule: t(
      'lists.users.owned.rules',
      '{count, plural, one {# row-level security rule} other {# row-level security rules}}',
      { count },
    ),
    table: t('lists.users.owned.tables', '{count, plural, one {# uploaded table} other {# uploaded tables}}', {
      count,
    }),
    report: t('lists.users.owned.reports', '{count, plural, one {# alert or report} other {# alerts and reports}}', {
      count,
    }),
  })[kind]

/** What a user owns, with links. */
export function OwnedContentList({ id }: { id: number }) {
  const t = useTranslate()
  const owned = useOwnedContent(id)
  if (owned.error)
    return (
      <ErrorPanel inline onRetry={() => void owned.refetch()}>
        {messageOf(owned.error)}
      </ErrorPanel>
    )
  if (!owned.data) return <Skeleton height={20} />
  if (owned.data.length === 0)
    return <p className={styles.note}>{t('lists.users.owned.nothing', 'This user owns nothing.')}</p>
  return (
    <dl className={styles.owned}>
      {owned.data.map((content) => (
        <div key={content.kind}>
          <dt>{describeKind(t, content)}</dt>
          <dd>
            {content.items.slice(0, maxNames).map((item) => {
              const href = ownedHref(content.kind, item.id)
              const name = item.name || t('lists.users.owned.unnamed', 'Untitled')
              return (
                <span key={item.id}>
                  {href === undefined ? (
                    name
                  ) : (
                    <Link href={href} target="_blank">
                      {name}
                    </Link>
                  )}
                </span>
              )
            })}
            {content.count > maxNames && (
              <span>
                {t('lists.users.owned.more', '{count, plural, one {and # more} other {and # more}}', {
                  count: content.count - maxNames,
                })}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
