import type { Translate } from '@parquetry/ui'
import type { TaggedKind } from '@parquetry/model'
import { canSeeTags } from '../shared/tags/has-tags.ts'
import type { ListFilter } from './definition.ts'

/** LIST-012 */
export const mineFilter = (t: Translate): ListFilter => ({
  name: 'mine',
  label: t('lists.filter.mine', 'Mine'),
  kind: 'toggle',
  toApi: () => [{ col: 'owners', opr: 'owned_or_created_by_me', value: true }],
})

export const ownerFilter = (t: Translate): ListFilter => ({
  name: 'owner',
  label: t('lists.filter.owner', 'Owner'),
  kind: 'related',
  column: 'editors',
  toApi: (value) => [{ col: 'editors', opr: 'rel_m_m', value: Number(value) }],
})

export const creatorFilter = (t: Translate): ListFilter => ({
  name: 'creator',
  label: t('lists.filter.creator', 'Creator'),
  kind: 'related',
  column: 'created_by',
  secondary: true,
  toApi: (value) => [{ col: 'created_by', opr: 'rel_o_m', value: Number(value) }],
})

export const databaseFilter = (t: Translate): ListFilter => ({
  name: 'database',
  label: t('lists.filter.database', 'Database'),
  kind: 'related',
  column: 'database',
  toApi: (value) => [{ col: 'database', opr: 'rel_o_m', value: Number(value) }],
})

export const schemaFilter = (t: Translate): ListFilter => ({
  name: 'schema',
  label: t('lists.filter.schema', 'Schema'),
  kind: 'distinct',
  column: 'schema',
  toApi: (value) => [{ col: 'schema', opr: 'eq', value }],
})

export const favoriteFilter = (t: Translate, kind: 'chart' | 'dashboard'): ListFilter => ({
  name: 'favorite',
  label: t('lists.filter.favorite', 'Favorites'),
  kind: 'toggle',
  toApi: () => [{ col: 'id', opr: `${kind}_is_favorite`, value: true }],
})

export const certifiedFilter = (t: Translate, kind: 'chart' | 'dashboard' | 'dataset'): ListFilter => ({
  name: 'certified',
  label: t('lists.filter.certified', 'Certified'),
  kind: 'toggle',
  secondary: true,
  toApi: () => [{ col: 'id', opr: `${kind}_is_certified`, value: true }],
})

/** Filter by one tag; none without the feature flag. */
export const tagFilter = (t: Translate, kind: TaggedKind): ListFilter[] =>
  canSeeTags
    ? [
        {
          name: 'tag',
          label: t('lists.filter.tag', 'Tag'),
          kind: 'tag',
          toApi: (value) =>
            /^\d+$/.test(value)
              ? [{ col: 'tags', opr: `${kind}_tag_id`, value: Number(value) }]
              : [{ col: 'tags', opr: `${kind}_tags`, value }],
        },
      ]
    : []
