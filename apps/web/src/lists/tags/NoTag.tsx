import { ButtonLink, EmptyState, PageHeader, useTranslate } from '@parquetry/ui'
import { canSeeTags } from '../../shared/tags/has-tags.ts'
import { useTitle } from '../../shared/use-title.ts'
import lists from '../lists.module.css'

/** The tag of the address does not exist, or there are no tags. */
export function NoTag() {
  const t = useTranslate()
  const title = t('tags.title', 'Tags')
  useTitle([title])
  return (
    <div className={lists.page}>
      <PageHeader title={title} crumbs={[]} />
      <div className={lists.content}>
        {canSeeTags ? (
          <EmptyState
            title={t('tags.gone', 'Tag not found')}
            actions={
              <ButtonLink variant="primary" href="/superset/tags/">
                {t('tags.all', 'View all tags')}
              </ButtonLink>
            }
          >
            {t('tags.goneText', 'It was deleted, or the link is wrong.')}
          </EmptyState>
        ) : (
          <EmptyState title={t('tags.off', 'Tags are not available')}>
            {t('tags.offText', 'An administrator can turn them on, or give you the permission to see them.')}
          </EmptyState>
        )}
      </div>
    </div>
  )
}
