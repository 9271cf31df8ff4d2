import { useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { canSeeTags, tagHref } from '../../shared/tags/has-tags.ts'
import { ListPage } from '../ListPage.tsx'
import styles from '../lists.module.css'
import { tags } from '../pages.ts'
import { NoTag } from './NoTag.tsx'
import { tagList } from './tag-list.tsx'
import { TagDialog } from './TagDialog.tsx'

/** `?new=true` opens the form of a new tag, `?edit=3` that of an existing one. */
export function TagListPage() {
  const t = useTranslate()
  const definition = useMemo(() => tagList(t, styles.clipped), [t])
  const { search, setSearch } = usePage(tags)
  const editing = /^\d+$/.test(search['edit'] ?? '') ? Number(search['edit']) : null
  const mayWrite = can('can_write', 'Tag')
  if (!canSeeTags) return <NoTag />
  return (
    <ListPage page={tags} definition={definition} onOpen={(dialog, id) => setSearch({ [dialog]: id })}>
      {mayWrite && search['new'] === 'true' && (
        <TagDialog
          id={null}
          onClose={() => setSearch({ new: null })}
          savedAction={(id) => ({ label: t('tags.open', 'Open'), href: tagHref(id) })}
        />
      )}
      {mayWrite && editing !== null && (
        <TagDialog key={editing} id={editing} onClose={() => setSearch({ edit: null })} />
      )}
    </ListPage>
  )
}
