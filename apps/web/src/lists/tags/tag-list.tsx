import type { Translate } from '@parquetry/ui'
import { tagHref } from '../../shared/tags/has-tags.ts'
import { can, isAdmin, userId } from '../../shared/rights.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import { changedColumn } from '../common-columns.tsx'
import { creatorFilter } from '../common-filters.ts'
import type { ListDefinition } from '../definition.ts'

const fields = [
  'id',
  'name',
  'description',
  'object_count',
  'created_by.id',
  'created_by.first_name',
  'created_by.last_name',
  'changed_on_utc',
  'changed_on_delta_humanized',
] as const

export type TagRow = RowOf<'tag', typeof fields>

const create = '/superset/tags/?new=true'

/** Tags are changed by their creator and by administrators. */
export const mayChangeTag = ({ created_by }: Pick<TagRow, 'created_by'>): boolean =>
  can('can_write', 'Tag') && (isAdmin || (created_by !== null && created_by.id === userId))

const formatCreator = ({ created_by: by }: TagRow): string => (by ? `${by.first_name} ${by.last_name}`.trim() : '')

/** States what the deletion of tags changes, for one tag or several. */
export const describeTagRemoval = (t: Translate, tags: number, objects: number): string =>
  t(
    'tags.consequence',
    '{objects, plural, =0 {No objects have {tags, plural, one {it} other {them}}.} one {# object that you can see loses {tags, plural, one {it} other {them}}.} other {# objects that you can see lose {tags, plural, one {it} other {them}}.}} The objects are not deleted. This cannot be undone.',
    { tags, objects },
  )

export const tagList = (t: Translate, clipped: string | undefined): ListDefinition<TagRow> => ({
  resource: 'tag',
  view: 'Tag',
  icon: 'tag',
  nouns: {
    title: t('tags.title', 'Tags'),
    one: t('tags.one', 'tag'),
    many: t('tags.many', 'tags'),
    count: (n) => t('tags.count', '{n, plural, one {# tag} other {# tags}}', { n }),
  },
  fields,
  always: [{ col: 'type', opr: 'custom_tag', value: true }],
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ name }) => name,
  nameOrder: 'name',
  hrefOf: ({ id }) => tagHref(id),
  searchLabel: t('tags.search', 'Search tags'),
  search: (value) => ({ col: 'name', opr: 'tag_all_text', value }),
  filters: [creatorFilter(t)],
  defaultSort: { column: 'name', direction: 'asc' },
  columns: [
    {
      id: 'uses',
      header: t('tags.uses', 'Objects'),
      width: '96px',
      hideUnder: 768,
      cell: ({ object_count }) => t('tags.number', '{n, number}', { n: object_count }),
    },
    {
      id: 'description',
      header: t('lists.description', 'Description'),
      order: 'description',
      width: '32%',
      hideUnder: 992,
      cell: ({ description }) => (
        <span className={clipped} title={description ?? undefined}>
          {description}
        </span>
      ),
    },
    {
      id: 'creator',
      header: t('tags.creator', 'Created by'),
      order: 'created_by.first_name',
      width: '160px',
      hideUnder: 992,
      cell: formatCreator,
    },
    changedColumn(t),
  ],
  subtitle: ({ object_count, description }) =>
    [t('tags.objects', '{n, plural, one {# object} other {# objects}}', { n: object_count }), description]
      .filter(Boolean)
      .join(' · '),
  firstUse: {
    title: t('tags.none', 'No tags yet'),
    text: t(
      'tags.noneText',
      'Tags group dashboards, charts, datasets and saved queries. Create tags here, or type them in the properties of an object.',
    ),
    action: { label: t('tags.create', 'Tag'), href: create },
  },
  create: { label: t('tags.create', 'Tag'), href: create, permission: 'can_write' },
  edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: mayChangeTag },
  menu: (row, { open }) => [
    { label: t('lists.open', 'Open'), icon: 'arrow-right', href: tagHref(row.id) },
    ...(mayChangeTag(row)
      ? [
          {
            label: t('tags.edit', 'Rename or describe'),
            icon: 'edit' as const,
            shortcut: 'E',
            onSelect: () => open('edit', row.id),
          },
        ]
      : []),
  ],
  canDelete: mayChangeTag,
  consequence: async (rows) => ({
    text: describeTagRemoval(
      t,
      rows.length,
      rows.reduce((sum, { object_count }) => sum + object_count, 0),
    ),
  }),
})
